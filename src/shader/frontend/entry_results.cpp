// SPDX-License-Identifier: Apache-2.0
// Part of entry_describer.hpp: what vertex and fragment functions return.
#include "src/shader/frontend/entry_describer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

void Describer::describeResult(const std::vector<Tag>& functionTags) {
  clang::QualType type = m_function.getReturnType();
  m_leaves = &m_entry.outputs;
  if (kGroups & bitOf(m_entry.stage)) {
    if (!type->isVoidType())
      error(m_function,
            fmt::format("{} function '{}' must return void", stageName(m_entry.stage), m_entry.name));
    return;
  }
  if (type->isVoidType()) return;
  if (auto value = valueType(type)) {
    m_entry.returnsRecord = type->isRecordType();
    Leaf leaf;
    leaf.type = *value;
    if (m_entry.stage == Stage::vertex) {
      leaf.name = "position";
      std::vector<Tag> tags = {{"position", "", ""}};
      vertexOutput(m_function.getLocation(), tags, std::move(leaf));
    } else {
      std::vector<Tag> tags = functionTags;
      if (!findTag(tags, "color") && !findTag(tags, "depth") && !findTag(tags, "sample_mask"))
        tags.push_back({"color", "0", ""});
      fragmentOutput(m_function.getLocation(), tags, std::move(leaf));
    }
    return;
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (!record || isMetal(*record)) {
    error(m_function, fmt::format("{} function '{}' cannot return '{}'", stageName(m_entry.stage),
                                  m_entry.name, typeName(type)));
    return;
  }
  m_entry.returnsRecord = true;
  m_sawPosition = false;
  forEachLeaf(*record, 0,
              m_entry.stage == Stage::vertex ? &Describer::vertexOutputField
                                             : &Describer::fragmentOutputField);
  if (m_entry.stage == Stage::vertex && !m_sawPosition) {
    error(m_function,
          fmt::format("vertex function '{}' returns '{}', which has no member with attribute [[position]]",
                      m_entry.name, typeName(type)));
  }
}

void Describer::vertexOutputField(const clang::FieldDecl& field, Leaf leaf) {
  vertexOutput(field.getLocation(), tagsOf(field), std::move(leaf));
}

void Describer::fragmentOutputField(const clang::FieldDecl& field, Leaf leaf) {
  std::vector<Tag> tags = tagsOf(field);
  fragmentOutput(field.getLocation(), tags, std::move(leaf));
}

void Describer::vertexOutput(clang::SourceLocation location, const std::vector<Tag>& tags, Leaf leaf) {
  if (findTag(tags, "clip_distance")) {
    if (leaf.type.kind != ScalarKind::floating || leaf.type.lanes != 1) {
      error(location,
            fmt::format("member '{}' with attribute 'clip_distance' must be float or an array of float",
                        leaf.name));
    }
    leaf.keys = {"air.clip_distance", "air.clip_distance_array_size",
                 fmt::format("#{}", std::max(1u, leaf.arrayLength))};
  } else if (leaf.arrayLength || leaf.interpolant) {
    error(location, fmt::format("member '{}' of a vertex function's result cannot be an array or interpolant",
                                leaf.name));
    return;
  } else if (findTag(tags, "position")) {
    if (leaf.type.kind != ScalarKind::floating || leaf.type.bits != 32 || leaf.type.lanes != 4) {
      error(location, fmt::format("[[position]] must be float4, not '{}'", leaf.type.name));
    }
    m_sawPosition = true;
    leaf.keys = {"air.position"};
    if (findTag(tags, "invariant")) leaf.keys.push_back("air.invariant");
  } else if (findTag(tags, "point_size")) {
    if (leaf.type.kind != ScalarKind::floating || leaf.type.lanes != 1) {
      error(location, fmt::format("[[point_size]] must be float, not '{}'", leaf.type.name));
    }
    leaf.keys = {"air.point_size"};
  } else if (findTag(tags, "render_target_array_index")) {
    leaf.keys = {"air.render_target_array_index"};
  } else if (findTag(tags, "viewport_array_index")) {
    leaf.keys = {"air.viewport_array_index"};
  } else {
    leaf.keys = {"air.vertex_output", varyingName(tags, leaf.name)};
  }
  m_leaves->push_back(std::move(leaf));
}

void Describer::fragmentOutput(clang::SourceLocation location, const std::vector<Tag>& tags, Leaf leaf) {
  if (leaf.arrayLength || leaf.interpolant) {
    error(location,
          fmt::format("member '{}' of a fragment function's result cannot be an array or interpolant",
                      leaf.name));
    return;
  }
  if (const Tag* color = findTag(tags, "color")) {
    if (number(*color) >= kColorCount) {
      error(location, fmt::format("color index {} is out of range: indices are 0 to {}", color->argument,
                                  kColorCount - 1));
    }
    const Tag* index = findTag(tags, "index");
    leaf.keys = {"air.render_target", fmt::format("#{}", number(*color)),
                 fmt::format("#{}", index ? number(*index) : 0)};
  } else if (const Tag* depth = findTag(tags, "depth")) {
    std::string qualifier = depth->argument.empty() ? "any" : depth->argument;
    if (qualifier != "any" && qualifier != "less" && qualifier != "greater") {
      error(location, fmt::format("[[depth({})]]: the qualifier must be any, less or greater", qualifier));
    }
    if (leaf.type.kind != ScalarKind::floating || leaf.type.bits != 32 || leaf.type.lanes != 1) {
      error(location, fmt::format("[[depth]] must be float, not '{}'", leaf.type.name));
    }
    leaf.keys = {"air.depth", "air.depth_qualifier", "air." + qualifier};
  } else if (findTag(tags, "sample_mask")) {
    leaf.keys = {"air.sample_mask"};
  } else if (findTag(tags, "stencil")) {
    leaf.keys = {"air.stencil"};
  } else {
    error(location, fmt::format("member '{}' of a fragment function's result needs an attribute such as "
                                "[[color(n)]] or [[depth(any)]]",
                                leaf.name));
    return;
  }
  m_leaves->push_back(std::move(leaf));
}

} // namespace basanite::shader::frontend
