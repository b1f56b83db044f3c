// SPDX-License-Identifier: Apache-2.0
// MTL::DynamicLibrary: made of a library, or of a file that holds the bitcode of one.
#include "src/metal/MTLDynamicLibrary.hpp"

#include "src/foundation/url.hpp"
#include "src/metal/MTLLibrary.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/digest.hpp"
#include "src/metal/error.hpp"
#include "src/metal/library_bytes.hpp"

#include <Foundation/NSURL.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

using Json = nlohmann::json;

// The file: this, a digest of what follows, and a list in CBOR.
constexpr std::string_view kMagic = "BasaniteDynamicLibrary1"; // the number counts changes of the form
constexpr size_t kDigestCharacters = 32;
constexpr int kInvalidFile = static_cast<int>(MTL::DynamicLibraryErrorInvalidFile);

base::Result<std::string> pathOf(const NS::URL* url) {
  if (!url) return base::Error{"The URL of the dynamic library is null.", kInvalidFile};
  const foundation::Url& impl = *toImpl(url);
  if (!impl.isFile() || impl.filePath().empty())
    return base::Error{
        fmt::format("A dynamic library is in a file, which the URL \"{}\" does not name.", impl.text()),
        kInvalidFile};
  return std::string(impl.filePath());
}

std::vector<uint8_t> bytesOf(const DynamicLibrary& library, const shader::Program& program) {
  Json functions = Json::array();
  for (const shader::FunctionInfo& info : program.functions)
    functions.push_back(
        Json::array({info.name, static_cast<unsigned>(info.stage), info.signature, info.stitchable}));
  const std::vector<uint8_t> body = Json::to_cbor({{"installName", library.installName},
                                                   {"exports", program.exports},
                                                   {"functions", functions},
                                                   {"air", Json::binary(program.air)}});
  const std::string digest = Digest().add(body).text();
  std::vector<uint8_t> bytes(kMagic.begin(), kMagic.end());
  bytes.insert(bytes.end(), digest.begin(), digest.end());
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

base::Result<foundation::Retained<DynamicLibrary>> libraryFrom(Device* device,
                                                               std::span<const uint8_t> bytes) {
  auto damaged = [](const char* what) {
    return base::Error{fmt::format("The file is no dynamic library of Basanite's: {}.", what), kInvalidFile};
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic) || text.size() < kMagic.size() + kDigestCharacters)
    return damaged("it begins with something else, or it was written by another version");
  const std::span<const uint8_t> body = bytes.subspan(kMagic.size() + kDigestCharacters);
  if (Digest().add(body).text() != text.substr(kMagic.size(), kDigestCharacters))
    return damaged("its contents are damaged");
  try {
    const Json json = Json::from_cbor(body);
    shader::Program program;
    program.exports = json.at("exports").get<std::vector<std::string>>();
    const auto& air = json.at("air").get_binary();
    program.air.assign(air.begin(), air.end());
    for (const Json& row : json.at("functions")) {
      shader::FunctionInfo info;
      info.name = row.at(0);
      const unsigned stage = row.at(1);
      if (stage > static_cast<unsigned>(shader::Stage::visible)) return damaged("a function is of no stage");
      info.stage = static_cast<shader::Stage>(stage);
      info.signature = row.at(2);
      info.stitchable = row.at(3);
      program.functions.push_back(std::move(info));
    }
    std::string digest = Digest().add("dynamic library").add(archiveBuild()).add(body).text();
    return foundation::Retained<DynamicLibrary>::adopt(
        new DynamicLibrary(device, std::make_shared<const LibraryCode>(std::move(digest), std::move(program)),
                           json.at("installName")));
  } catch (const std::exception&) {
    return damaged("a part of it is missing");
  }
}

} // namespace

base::Result<foundation::Retained<DynamicLibrary>> makeDynamicLibrary(Device* device,
                                                                      const Library* library) {
  if (!library) return base::Error{"The library is null."};
  if (library->type != MTL::LibraryTypeDynamic)
    return base::Error{"The library is no dynamic one: it was compiled with the libraryType Executable.",
                       static_cast<int>(MTL::DynamicLibraryErrorUnsupported)};
  BASANITE_TRY_VOID(library->code->program());
  return foundation::Retained<DynamicLibrary>::adopt(
      new DynamicLibrary(device, library->code, library->installName));
}

base::Result<foundation::Retained<DynamicLibrary>> openDynamicLibrary(Device* device, const NS::URL* url) {
  BASANITE_TRY(std::string path, pathOf(url));
  BASANITE_TRY(LibraryBytes bytes, readWholeFile(path, "dynamic library"));
  auto library = libraryFrom(device, bytes.bytes());
  if (!library)
    return base::Error{fmt::format("{}: {}", path, library.error().message), library.error().code};
  return library;
}

base::Result<void> DynamicLibrary::write(const NS::URL* url) const {
  BASANITE_TRY(std::string path, pathOf(url));
  BASANITE_TRY(auto program, code->program());
  return writeFileAtomically(path, bytesOf(*this, *program));
}

} // namespace basanite::metal

MTL::Device* MTL::DynamicLibrary::device() const {
  return this ? toPublic(toImpl(this)->device.get()) : nullptr;
}
NS::String* MTL::DynamicLibrary::installName() const {
  return this ? basanite::foundation::makeAutoreleasedString(toImpl(this)->installName) : nullptr;
}
BASANITE_OBJECT(MTL::DynamicLibrary, NS::String, label, setLabel)
bool MTL::DynamicLibrary::serializeToURL(const NS::URL* url, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  auto written = toImpl(this)->write(url);
  if (!written)
    basanite::metal::setError(error, basanite::metal::kDynamicLibraryErrorDomain,
                              static_cast<NS::Integer>(MTL::DynamicLibraryErrorInvalidFile), written.error());
  return written.ok();
}
