// SPDX-License-Identifier: Apache-2.0
// Implementation of compile_report.hpp.
#include "tools/basanite/compile_report.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace basanite::tool {

namespace {

using Json = nlohmann::ordered_json;

struct Group {
  size_t count = 0;
  std::string example;
};

struct Summary {
  size_t files = 0, compiled = 0, functions = 0, lowered = 0, beyondRuntime = 0;
  double totalMs = 0, medianMs = 0, longestMs = 0;
  std::string longest;
  std::vector<std::pair<std::string, Group>> failures; // most frequent first
};

Summary summarise(const std::vector<FileResult>& results) {
  Summary summary;
  std::map<std::string, Group> groups;
  std::vector<double> times;
  for (const FileResult& result : results) {
    ++summary.files;
    summary.compiled += result.ok();
    summary.functions += result.functions.size();
    for (const FunctionResult& function : result.functions) {
      summary.lowered += function.error.empty();
      summary.beyondRuntime += !function.runtimeError.empty();
    }
    times.push_back(result.milliseconds);
    summary.totalMs += result.milliseconds;
    if (result.milliseconds >= summary.longestMs) {
      summary.longestMs = result.milliseconds;
      summary.longest = result.name;
    }
    if (result.ok()) continue;
    Group& group = groups[result.firstMessage()];
    if (group.count++ == 0) group.example = result.name;
  }
  std::sort(times.begin(), times.end());
  if (!times.empty()) summary.medianMs = times[times.size() / 2];
  summary.failures.assign(groups.begin(), groups.end());
  std::stable_sort(summary.failures.begin(), summary.failures.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  return summary;
}

const char* bindingWord(shader::BindingKind kind) {
  switch (kind) {
  case shader::BindingKind::buffer:
    return "buffer";
  case shader::BindingKind::texture:
    return "texture";
  case shader::BindingKind::sampler:
    return "sampler";
  case shader::BindingKind::constantSampler:
    return "constant-sampler";
  case shader::BindingKind::constantData:
    return "constant-data";
  case shader::BindingKind::functionTable:
    return "function-table";
  }
  return "other";
}

Json functionJson(const FunctionResult& function, bool bindings) {
  Json json = {{"name", function.name}, {"stage", shader::stageName(function.stage)}, {"ok", function.error.empty()}};
  if (!function.error.empty()) json["error"] = function.error;
  if (!function.runtimeError.empty()) json["runtimeError"] = function.runtimeError;
  if (!bindings) return json;
  const shader::StageBinary& binary = function.binary;
  Json list = Json::array();
  for (const shader::Binding& binding : binary.bindings) {
    Json entry = {{"kind", bindingWord(binding.kind)},
                  {"index", binding.index},
                  {"name", binding.name},
                  {"reads", binding.reads},
                  {"writes", binding.writes}};
    if (binding.kind == shader::BindingKind::buffer) {
      entry["dataSize"] = binding.dataSize;
      entry["dataAlignment"] = binding.dataAlign;
    } else if (binding.kind == shader::BindingKind::texture) {
      entry["textureType"] = binding.textureType;
      entry["depth"] = binding.depthTexture;
    }
    list.push_back(std::move(entry));
  }
  json["bindings"] = std::move(list);
  if (function.stage == shader::Stage::fragment) {
    json["colorOutputs"] = binary.colorOutputs;
    json["writesDepth"] = binary.writesDepth;
    json["discards"] = binary.discards;
  } else if (function.stage == shader::Stage::kernel) {
    json["maxTotalThreadsPerThreadgroup"] = binary.maxTotalThreadsPerThreadgroup;
    json["threadgroupMemoryBytes"] = binary.staticThreadgroupBytes;
    json["threadgroupArguments"] = binary.threadgroupArguments;
  }
  return json;
}

// Sources may hold any bytes; JSON is UTF-8.
std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

} // namespace

void printDiagnostics(const FileResult& result, bool whole) {
  if (whole || !result.parsed) fmt::print(stderr, "{}", result.diagnostics);
  for (const FunctionResult& function : result.functions)
    if (!function.error.empty()) fmt::print(stderr, "{}: error: {}\n", result.path, function.error);
  if (!whole) return;
  for (const FunctionResult& function : result.functions)
    if (!function.runtimeError.empty())
      fmt::print(stderr, "{}: note: valid, but Basanite cannot run it yet: {}\n", result.path, function.runtimeError);
}

std::string reportTable(const std::vector<FileResult>& results) {
  Summary summary = summarise(results);
  double percent =
      summary.files ? 100.0 * static_cast<double>(summary.compiled) / static_cast<double>(summary.files) : 0;
  std::string text;
  text += fmt::format("files      {:>6}   compiled {:>6}   failed {:>6}   {:.1f} %\n", summary.files,
                      summary.compiled, summary.files - summary.compiled, percent);
  text += fmt::format("functions  {:>6}   lowered  {:>6}   failed {:>6}\n", summary.functions,
                      summary.lowered, summary.functions - summary.lowered);
  if (summary.beyondRuntime)
    text += fmt::format("of the lowered, {} cannot be run by Basanite yet (--json says which and why)\n", summary.beyondRuntime);
  text += fmt::format("time       {:.1f} s compiling, {:.1f} ms median, {:.1f} ms longest ({})\n",
                      summary.totalMs / 1000, summary.medianMs, summary.longestMs, summary.longest);
  if (summary.failures.empty()) return text;
  text += "\nfailures by first message\n";
  for (const auto& [message, group] : summary.failures)
    text += fmt::format("{:>6}  {}  ({})\n", group.count, message, group.example);
  return text;
}

std::string reportJson(const std::vector<FileResult>& results) {
  Summary summary = summarise(results);
  Json json;
  json["files"] = Json::array();
  for (const FileResult& result : results) {
    Json file = {{"path", result.path},
                 {"ok", result.ok()},
                 {"milliseconds", result.milliseconds},
                 {"diagnostics", result.diagnostics}};
    if (!result.ok()) file["firstMessage"] = result.firstMessage();
    file["functions"] = Json::array();
    for (const FunctionResult& function : result.functions)
      file["functions"].push_back(functionJson(function, false));
    json["files"].push_back(std::move(file));
  }
  Json failures = Json::array();
  for (const auto& [message, group] : summary.failures)
    failures.push_back({{"message", message}, {"files", group.count}, {"example", group.example}});
  json["summary"] = {{"files", summary.files},          {"compiled", summary.compiled},
                     {"functions", summary.functions},  {"lowered", summary.lowered},
                     {"milliseconds", summary.totalMs}, {"failures", std::move(failures)}};
  return dump(json);
}

std::string reflectionJson(const FileResult& result) {
  Json json = {{"path", result.path}, {"functions", Json::array()}};
  for (const FunctionResult& function : result.functions)
    json["functions"].push_back(functionJson(function, true));
  return dump(json);
}

} // namespace basanite::tool
