// SPDX-License-Identifier: Apache-2.0
// Describes one entry function; the parts live in entry_collector.cpp (the whole, indices), entry_types.cpp,
// entry_parameters.cpp, entry_builtins.cpp, entry_structures.cpp ([[stage_in]], meshes) and
// entry_results.cpp.
#pragma once

#include "src/shader/frontend/entry.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>

#include <span>
#include <string_view>

namespace basanite::shader::frontend {

// ---- attributes, as attributes.cpp leaves them on declarations ----

struct Tag {
  std::string name;
  std::string argument;  // first
  std::string argument2; // second
};

std::vector<Tag> tagsOf(const clang::Decl& decl);
// Null: there is none of that name.
const Tag* findTag(const std::vector<Tag>& tags, std::string_view name);
// The first argument. Negative and oversized ones become the largest number, which no index may be.
uint32_t number(const Tag& tag);

// ---- built-in inputs ----

constexpr unsigned kVertex = 1, kFragment = 2, kKernel = 4, kObject = 8, kMesh = 16;
constexpr unsigned kGroups = kKernel | kObject | kMesh; // stages that run in threadgroups

inline unsigned bitOf(Stage stage) { return 1u << static_cast<unsigned>(stage); }

struct BuiltinInput {
  const char* attribute;
  unsigned stages;
  unsigned maxLanes;
  bool floating = false;
  bool boolean = false;
};

std::span<const BuiltinInput> builtinInputs();
bool fits(const BuiltinInput& builtin, const ValueType& type);
std::string expectedType(const BuiltinInput& builtin);
std::vector<std::string> builtinKeys(const std::string& attribute);
// center_perspective and its kin, and flat.
bool isInterpolation(const std::string& name);

// ---- the last index of each resource kind plus one, as Metal limits them ----

constexpr uint32_t kBufferCount = 31, kTextureCount = 128, kSamplerCount = 16, kColorCount = 8,
                   kAttributeCount = 31;

class Describer {
 public:
  Describer(const clang::FunctionDecl& function, Stage stage);

  Entry run();

  // Scalars, enumerations and metal::vec / packed_vec.
  static std::optional<ValueType> valueType(clang::QualType type);

 private:
  void error(const clang::Decl& decl, const std::string& message);
  void error(clang::SourceLocation location, const std::string& message);
  void warn(const clang::Decl& decl, const std::string& message);

  // ---- types ----
  std::string typeName(clang::QualType type) const;
  std::string libraryTypeName(const clang::CXXRecordDecl& record) const;
  // "float(float, device int*)", as visible functions and their tables are told of.
  std::string signature(clang::QualType function) const;
  std::string signatureType(clang::QualType type) const;
  // The value's type of interpolant<T, interpolation>.
  std::optional<ValueType> interpolantType(clang::QualType type) const;
  static bool isMetal(const clang::CXXRecordDecl& record);
  static unsigned integer(const clang::TemplateArgument& argument);
  static const char* accessWord(unsigned access);

  // ---- parameters ----
  void describeVisible(const std::vector<Tag>& tags);
  void describeParameter(const clang::ParmVarDecl& decl);
  // array<texture2d<float>, 4> and its like of samplers and function tables, or references to them: one index for each element.
  bool describeHandles(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter);
  // Reads [[kind(n)]] if present. Other resource attributes on the same parameter are errors.
  void takeIndex(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, std::string_view kind,
                 uint32_t count, Parameter& parameter);
  void describeBuffer(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter);
  void describePayload(const clang::ParmVarDecl& decl, Parameter& parameter);
  // Of a structure and its bases, for reflection; `base` is where it begins, in bytes.
  void describeMembers(const clang::CXXRecordDecl& record, std::vector<MemberInfo>& members, uint32_t base = 0);
  void describeMemberType(clang::QualType type, MemberInfo& member);
  void describeTarget(clang::QualType pointee, MemberInfo& member);
  void describeTexture(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record,
                       const std::vector<Tag>& tags, Parameter& parameter);
  static bool isTexture(const clang::CXXRecordDecl& record);
  void describeFunctionTable(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record, const std::vector<Tag>& tags,
                             Parameter& parameter);
  static bool isFunctionTable(const clang::CXXRecordDecl& record);
  void describeBuiltin(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter);
  const char* exampleAttribute() const;

  // ---- structures ----
  using LeafVisitor = void (Describer::*)(const clang::FieldDecl& field, Leaf leaf);
  void forEachLeaf(const clang::CXXRecordDecl& record, uint64_t base, LeafVisitor visit);
  void describeStageIn(const clang::ParmVarDecl& decl, Parameter& parameter);
  void vertexInput(const clang::FieldDecl& field, Leaf leaf);
  void fragmentInput(const clang::FieldDecl& field, Leaf leaf);
  static std::string varyingName(const std::vector<Tag>& tags, const std::string& member);
  // mesh<V, P, max vertices, max primitives, topology>
  void describeMesh(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record, Parameter& parameter);
  void primitiveOutputField(const clang::FieldDecl& field, Leaf leaf);
  // Members that are no built-ins are data of a vertex or primitive, numbered in order.
  static void numberMeshData(const char* kind, std::vector<Leaf>& leaves);

  // ---- results ----
  void describeResult(const std::vector<Tag>& functionTags);
  void vertexOutputField(const clang::FieldDecl& field, Leaf leaf);
  void fragmentOutputField(const clang::FieldDecl& field, Leaf leaf);
  void vertexOutput(clang::SourceLocation location, const std::vector<Tag>& tags, Leaf leaf);
  void fragmentOutput(clang::SourceLocation location, const std::vector<Tag>& tags, Leaf leaf);

  // ---- indices ----
  static int indexSpace(const Parameter& parameter);
  // Resources without an index take the lowest free ones, in order.
  void assignIndices();

  const clang::FunctionDecl& m_function;
  clang::ASTContext& m_context;
  clang::PrintingPolicy m_policy;
  Entry m_entry;
  std::vector<bool> m_hasIndex;
  std::vector<Leaf>* m_leaves = nullptr;
  std::vector<const clang::CXXRecordDecl*> m_openRecords; // whose members are being described, outermost first
  bool m_indexGiven = false;
  bool m_sawStageIn = false;
  bool m_sawPosition = false;
};

} // namespace basanite::shader::frontend
