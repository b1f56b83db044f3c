// SPDX-License-Identifier: Apache-2.0
// Implementation of archive_data.hpp.
#include "src/metal/archive_data.hpp"

#include "src/metal/compiler_build.hpp"
#include "src/metal/digest.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace basanite::metal {

namespace {

using Json = nlohmann::json;
using shader::ArgumentReflection;
using shader::StageBinary;
using shader::TypeReflection;

constexpr std::string_view kMagic = "BasaniteArchive3"; // the number counts changes of the form
constexpr size_t kDigestBytes = 32, kSizeBytes = 8;
constexpr size_t kHeaderBytes = kMagic.size() + kSizeBytes + kDigestBytes;
// No archive nests deeper; the reader of CBOR calls itself for each level.
constexpr int kMaxDepth = 64;
constexpr uint32_t kSpirvMagic = 0x07230203;

// ---- values to JSON ----

Json toJson(const TypeReflection& type);
Json toJson(const StageBinary& stage);

Json toJson(const shader::MemberReflection& member) {
  return Json::array({member.name, member.offset, member.argumentIndex, toJson(member.type)});
}

Json toJson(const TypeReflection& type) {
  Json members = Json::array(), element = Json::array();
  for (const auto& member : type.members) members.push_back(toJson(member));
  for (const auto& inner : type.element) element.push_back(toJson(inner));
  return Json::array({type.dataType, type.size, type.align, members, element, type.arrayLength, type.stride,
                      type.access, type.textureType, type.textureDataType, type.depthTexture});
}

Json toJson(const ArgumentReflection& argument) {
  return Json::array({static_cast<unsigned>(argument.kind), argument.name, argument.index,
                      argument.arrayLength, argument.used, argument.access, toJson(argument.type)});
}

Json toJson(const shader::Binding& binding) {
  const auto& [kind, index, name, reads, writes, dataSize, dataAlign, textureType, depthTexture, signature] =
      binding;
  return Json::array({static_cast<unsigned>(kind), index, name, reads, writes, dataSize, dataAlign,
                      textureType, depthTexture, signature});
}

Json toJson(const shader::ConstantSampler& s) {
  return Json::array({s.minFilter, s.magFilter, s.mipFilter, s.addressS, s.addressT, s.addressR,
                      s.borderColor, s.compareFunction, s.maxAnisotropy, s.lodMin, s.lodMax, s.lodBias,
                      s.normalizedCoordinates});
}

template <class T> Json listOf(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(toJson(value));
  return list;
}

Json toJson(const StageBinary& stage) {
  // Every member once: with one more this does not compile before it is written and read here.
  [[maybe_unused]] const auto& [s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17,
                                s18, s19] = stage;
  std::vector<unsigned> classes;
  for (shader::ColorClass c : stage.colorClasses) classes.push_back(static_cast<unsigned>(c));
  return {{"stage", static_cast<unsigned>(stage.stage)},
          {"words", stage.spirv.size()}, // which follow the record
          {"bindings", listOf(stage.bindings)},
          {"arguments", listOf(stage.arguments)},
          {"samplers", listOf(stage.constantSamplers)},
          {"data", Json::binary(stage.constantData)},
          {"colors", Json::array({stage.colorOutputs, classes, stage.writesDepth, stage.discards})},
          {"groups", Json::array({stage.maxTotalThreadsPerThreadgroup, stage.staticThreadgroupBytes,
                                  stage.threadgroupArguments, stage.maxTotalThreadgroupsPerMeshGrid,
                                  stage.payloadBytes})},
          {"mesh", Json::array({stage.maxVertices, stage.maxPrimitives, stage.vertexComponents,
                                stage.primitiveComponents})}};
}

Json toJson(const LibraryInterface& library) {
  Json includes = Json::array(), functions = Json::array(), unusable = Json::array(),
       constants = Json::object();
  for (const auto& file : library.includedFiles) includes.push_back(Json::array({file.path, file.digest}));
  for (const auto& function : library.functions) {
    Json attributes = Json::array();
    for (const auto& a : function.vertexAttributes)
      attributes.push_back(Json::array({a.name, a.index, a.type}));
    functions.push_back(
        Json::array({function.name, static_cast<unsigned>(function.stage), attributes,
                     function.maxTotalThreadsPerThreadgroup, function.signature, function.stitchable}));
  }
  for (const auto& function : library.unusable)
    unusable.push_back(Json::array({function.name, function.kind}));
  for (const auto& [function, list] : library.constants) {
    Json rows = Json::array();
    for (const auto& c : list) rows.push_back(Json::array({c.name, c.type, c.index, c.required}));
    constants[function] = rows;
  }
  return {{"includes", includes},
          {"functions", functions},
          {"unusable", unusable},
          {"warnings", library.warnings},
          {"constants", constants}};
}

// ---- and back; nlohmann's library throws where a value is not what is asked for ----

TypeReflection typeFrom(const Json& json) {
  TypeReflection type;
  type.dataType = json.at(0);
  type.size = json.at(1);
  type.align = json.at(2);
  for (const Json& row : json.at(3))
    type.members.push_back({row.at(0), row.at(1), row.at(2), typeFrom(row.at(3))});
  for (const Json& inner : json.at(4)) type.element.push_back(typeFrom(inner));
  type.arrayLength = json.at(5);
  type.stride = json.at(6);
  type.access = json.at(7);
  type.textureType = json.at(8);
  type.textureDataType = json.at(9);
  type.depthTexture = json.at(10);
  return type;
}

// A number below `count` as an enumerator.
template <class Enum> Enum enumFrom(const Json& json, unsigned count) {
  unsigned value = json;
  if (value >= count) throw std::out_of_range("enumerator");
  return static_cast<Enum>(value);
}

ArgumentReflection argumentFrom(const Json& json) {
  return {enumFrom<shader::ArgumentKind>(json.at(0), 6),
          json.at(1),
          json.at(2),
          json.at(3),
          json.at(4),
          json.at(5),
          typeFrom(json.at(6))};
}

shader::Binding bindingFrom(const Json& json) {
  shader::Binding binding;
  binding.kind = enumFrom<shader::BindingKind>(json.at(0), 6);
  binding.index = json.at(1);
  binding.name = json.at(2);
  binding.reads = json.at(3);
  binding.writes = json.at(4);
  binding.dataSize = json.at(5);
  binding.dataAlign = json.at(6);
  binding.textureType = json.at(7);
  binding.depthTexture = json.at(8);
  binding.signature = json.at(9);
  return binding;
}

shader::ConstantSampler samplerFrom(const Json& json) {
  shader::ConstantSampler s;
  size_t next = 0;
  for (uint32_t* field : {&s.minFilter, &s.magFilter, &s.mipFilter, &s.addressS, &s.addressT, &s.addressR,
                          &s.borderColor, &s.compareFunction, &s.maxAnisotropy})
    *field = json.at(next++);
  for (float* field : {&s.lodMin, &s.lodMax, &s.lodBias}) *field = json.at(next++);
  s.normalizedCoordinates = json.at(next);
  return s;
}

// Takes its words from the front of `spirv`.
StageBinary stageFrom(const Json& json, std::span<const uint8_t>& spirv) {
  StageBinary stage;
  stage.stage = enumFrom<shader::Stage>(json.at("stage"), 5);
  const size_t words = json.at("words");
  if (words < 5 || words > spirv.size() / sizeof(uint32_t)) throw std::out_of_range("words");
  stage.spirv.resize(words);
  std::memcpy(stage.spirv.data(), spirv.data(), words * sizeof(uint32_t));
  if (stage.spirv[0] != kSpirvMagic) throw std::out_of_range("spirv");
  spirv = spirv.subspan(words * sizeof(uint32_t));
  for (const Json& row : json.at("samplers")) stage.constantSamplers.push_back(samplerFrom(row));
  const auto& data = json.at("data").get_binary();
  stage.constantData.assign(data.begin(), data.end());
  for (const Json& row : json.at("bindings")) {
    shader::Binding binding = bindingFrom(row);
    bool sampler = binding.kind == shader::BindingKind::constantSampler;
    bool table = binding.kind == shader::BindingKind::constantData;
    if ((sampler && binding.index >= stage.constantSamplers.size()) || (table && stage.constantData.empty()))
      throw std::out_of_range("binding");
    stage.bindings.push_back(std::move(binding));
  }
  for (const Json& row : json.at("arguments")) stage.arguments.push_back(argumentFrom(row));
  const Json& colors = json.at("colors");
  stage.colorOutputs = colors.at(0);
  for (size_t i = 0; i < shader::kMaxColorOutputs; ++i)
    stage.colorClasses[i] = enumFrom<shader::ColorClass>(colors.at(1).at(i), 4);
  stage.writesDepth = colors.at(2);
  stage.discards = colors.at(3);
  const Json& groups = json.at("groups");
  stage.maxTotalThreadsPerThreadgroup = groups.at(0);
  stage.staticThreadgroupBytes = groups.at(1);
  stage.threadgroupArguments = groups.at(2).get<std::vector<uint32_t>>();
  stage.maxTotalThreadgroupsPerMeshGrid = groups.at(3);
  stage.payloadBytes = groups.at(4);
  const Json& mesh = json.at("mesh");
  stage.maxVertices = mesh.at(0);
  stage.maxPrimitives = mesh.at(1);
  stage.vertexComponents = mesh.at(2);
  stage.primitiveComponents = mesh.at(3);
  return stage;
}

LibraryInterface libraryFrom(const Json& json) {
  LibraryInterface library;
  for (const Json& row : json.at("includes")) library.includedFiles.push_back({row.at(0), row.at(1)});
  for (const Json& row : json.at("functions")) {
    shader::FunctionInfo info;
    info.name = row.at(0);
    info.stage = enumFrom<shader::Stage>(row.at(1), 6);
    for (const Json& a : row.at(2)) info.vertexAttributes.push_back({a.at(0), a.at(1), a.at(2)});
    info.maxTotalThreadsPerThreadgroup = row.at(3);
    info.signature = row.at(4);
    info.stitchable = row.at(5);
    library.functions.push_back(std::move(info));
  }
  for (const Json& row : json.at("unusable")) library.unusable.push_back({row.at(0), row.at(1)});
  library.warnings = json.at("warnings");
  for (const auto& [function, rows] : json.at("constants").items()) {
    FunctionConstantList& list = library.constants[function];
    for (const Json& c : rows) list.push_back({c.at(0), c.at(1), c.at(2), c.at(3)});
  }
  return library;
}

// Looks at the nesting only, so that no bytes make the reader call itself without end.
struct DepthGuard final : nlohmann::json_sax<Json> {
  int depth = 0;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth <= kMaxDepth; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return --depth, true; }
  bool start_array(std::size_t) override { return ++depth <= kMaxDepth; }
  bool end_array() override { return --depth, true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }
};

base::Error damaged(const std::string& what) { return base::Error{"The archive is damaged: " + what + "."}; }

void appendSize(std::vector<uint8_t>& bytes, uint64_t size) {
  for (size_t i = 0; i < kSizeBytes; ++i) bytes.push_back(static_cast<uint8_t>(size >> (8 * i)));
}

// Of a span that has so many bytes.
uint64_t sizeIn(std::span<const uint8_t> bytes) {
  uint64_t size = 0;
  for (size_t i = 0; i < kSizeBytes; ++i) size |= uint64_t(bytes[i]) << (8 * i);
  return size;
}

// A size, as much CBOR, and what follows. Error: the bytes are no such thing.
struct Framed {
  Json json;
  std::span<const uint8_t> rest;
};
std::vector<uint8_t> frame(const Json& json) {
  const std::vector<uint8_t> cbor = Json::to_cbor(json);
  std::vector<uint8_t> bytes;
  appendSize(bytes, cbor.size());
  bytes.insert(bytes.end(), cbor.begin(), cbor.end());
  return bytes;
}
base::Result<Framed> readFrame(std::span<const uint8_t> bytes) {
  if (bytes.size() < kSizeBytes || sizeIn(bytes) > bytes.size() - kSizeBytes)
    return damaged("a part of it ends too early");
  const std::span<const uint8_t> cbor = bytes.subspan(kSizeBytes, sizeIn(bytes));
  DepthGuard guard;
  if (!Json::sax_parse(cbor, &guard, Json::input_format_t::cbor)) return damaged("its contents are not CBOR");
  return Framed{Json::from_cbor(cbor, true, false), bytes.subspan(kSizeBytes + cbor.size())};
}

// {offset, size} of a part of `bytes`.
std::span<const uint8_t> partOf(std::span<const uint8_t> bytes, const Json& place) {
  const uint64_t offset = place.at(0), size = place.at(1);
  if (offset > bytes.size() || size > bytes.size() - offset) throw std::out_of_range("part");
  return bytes.subspan(offset, size);
}

} // namespace

PipelineRecord writeRecord(const std::vector<StageBinary>& stages) {
  PipelineRecord record = frame(listOf(stages));
  for (const StageBinary& stage : stages) {
    const auto* words = reinterpret_cast<const uint8_t*>(stage.spirv.data());
    record.insert(record.end(), words, words + stage.spirv.size() * sizeof(uint32_t));
  }
  return record;
}

base::Result<std::vector<StageBinary>> readRecord(std::span<const uint8_t> record) {
  BASANITE_TRY(Framed framed, readFrame(record));
  try {
    std::vector<StageBinary> stages;
    for (const Json& stage : framed.json) stages.push_back(stageFrom(stage, framed.rest));
    return stages;
  } catch (const std::exception&) {
    return damaged("a pipeline of it is not what an archive holds");
  }
}

const char* archiveBuild() { return kCompilerBuild; }

std::vector<uint8_t> writeArchive(const ArchiveData& data) {
  Json libraries = Json::object(), pipelines = Json::object();
  std::vector<uint8_t> parts;
  auto place = [&](const std::vector<uint8_t>& part) {
    Json where = Json::array({parts.size(), part.size()});
    parts.insert(parts.end(), part.begin(), part.end());
    return where;
  };
  for (const auto& [digest, library] : data.libraries) libraries[digest] = toJson(library);
  for (const auto& [key, record] : data.pipelines) pipelines[key] = place(record);
  Json driver = place(data.driverCache);
  std::vector<uint8_t> payload = frame({{"build", archiveBuild()},
                                        {"libraries", std::move(libraries)},
                                        {"pipelines", std::move(pipelines)},
                                        {"driver", std::move(driver)}});
  payload.insert(payload.end(), parts.begin(), parts.end());

  std::vector<uint8_t> bytes(kMagic.begin(), kMagic.end());
  appendSize(bytes, payload.size());
  std::string digest = Digest().add(std::span<const uint8_t>(payload)).text();
  bytes.insert(bytes.end(), digest.begin(), digest.end());
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

base::Result<ArchiveData> readArchive(std::span<const uint8_t> bytes) {
  constexpr size_t kNameBytes = kMagic.size() - 1;
  if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.begin() + kNameBytes, bytes.begin()))
    return base::Error{"This is no archive of Basanite's."};
  if (bytes[kNameBytes] != static_cast<uint8_t>(kMagic.back()))
    return base::Error{"The archive was made by another build of Basanite; it must be made anew."};
  if (bytes.size() < kHeaderBytes)
    return damaged(
        fmt::format("it has {} bytes, fewer than the {} of its header", bytes.size(), kHeaderBytes));
  uint64_t size = sizeIn(bytes.subspan(kMagic.size()));
  std::span<const uint8_t> payload = bytes.subspan(kHeaderBytes);
  if (payload.size() != size)
    return damaged(
        fmt::format("its header says that {} bytes follow, but there are {}", size, payload.size()));
  std::string digest = Digest().add(payload).text();
  if (!std::equal(digest.begin(), digest.end(), bytes.begin() + kMagic.size() + kSizeBytes))
    return damaged("its contents do not have the digest that its header states");

  BASANITE_TRY(Framed framed, readFrame(payload));
  try {
    const Json& json = framed.json;
    if (json.at("build").get<std::string>() != archiveBuild())
      return base::Error{"The archive was made by another build of Basanite; it must be made anew."};
    ArchiveData data;
    for (const auto& [key, library] : json.at("libraries").items()) {
      LibraryInterface& read = data.libraries[key] = libraryFrom(library);
      read.sourceDigest = key;
    }
    for (const auto& [key, place] : json.at("pipelines").items()) {
      const auto record = partOf(framed.rest, place);
      data.pipelines[key].assign(record.begin(), record.end());
    }
    const auto driver = partOf(framed.rest, json.at("driver"));
    data.driverCache.assign(driver.begin(), driver.end());
    return data;
  } catch (const std::exception&) {
    return damaged("its contents are not what an archive holds");
  }
}

base::Result<void> writeFileAtomically(const std::string& path, std::span<const uint8_t> bytes) {
  auto failed = [&](const char* what) {
    return base::Error{fmt::format("{}: the file could not be {}: {}.", path, what, std::strerror(errno))};
  };
  static std::atomic<unsigned> s_number{0};
  std::string beside = fmt::format("{}.{}-{}.part", path, ::getpid(), s_number++);
  int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return failed("made");
  auto giveUp = [&](const char* what) {
    base::Error error = failed(what);
    if (descriptor >= 0) ::close(descriptor);
    ::unlink(beside.c_str());
    return error;
  };
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return giveUp("written");
    done += static_cast<size_t>(count);
  }
  if (::fsync(descriptor) != 0) return giveUp("written");
  int closed = ::close(descriptor);
  descriptor = -1;
  if (closed != 0) return giveUp("written");
  if (::rename(beside.c_str(), path.c_str()) != 0) return giveUp("put in its place");
  return {};
}

} // namespace basanite::metal
