// SPDX-License-Identifier: Apache-2.0
// Implementation of library_file.hpp.
#include "src/metal/library_file.hpp"

#include "src/foundation/autorelease_pool.hpp"
#include "src/foundation/data.hpp"
#include "src/foundation/url.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/digest.hpp"
#include "src/metal/library_bytes.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <span>

namespace basanite::metal {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultName = "default.metallib";
constexpr int kUnreadable = static_cast<int>(MTL::LibraryErrorFileNotFound);
constexpr int kInvalid = kInvalidLibraryFile;

base::Result<shader::Program> readNow(std::span<const uint8_t> bytes) {
  BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
  auto program = compiler->readLibrary(bytes);
  if (!program) return base::Error{program.error().message, kInvalid};
  return program;
}

LibraryResult open(Device* device, std::span<const uint8_t> bytes) {
  std::string digest = Digest().add("file").add(archiveBuild()).add(bytes).text();
  std::shared_ptr<const LibraryCode> code;
  if (auto known = device->archivedLibrary(digest)) {
    code = std::make_shared<const LibraryCode>(
        std::move(*known),
        [copy = std::vector<uint8_t>(bytes.begin(), bytes.end())] { return readNow(copy); });
  } else {
    BASANITE_TRY(shader::Program program, readNow(bytes));
    code = std::make_shared<const LibraryCode>(std::move(digest), std::move(program));
  }
  return foundation::Retained<Library>::adopt(new Library(device, std::move(code)));
}

// An object of libdispatch's as one run of bytes. The library belongs to the program: this one does not link
// it.
class DispatchMap {
 public:
  explicit DispatchMap(dispatch_data_t data) {
    using Create = dispatch_data_t (*)(dispatch_data_t, const void**, size_t*);
    auto create = reinterpret_cast<Create>(dlsym(RTLD_DEFAULT, "dispatch_data_create_map"));
    m_release = reinterpret_cast<void (*)(dispatch_data_t)>(dlsym(RTLD_DEFAULT, "dispatch_release"));
    if (create && m_release) m_map = create(data, &m_bytes, &m_size);
  }
  ~DispatchMap() {
    if (m_map) m_release(m_map);
  }
  DispatchMap(const DispatchMap&) = delete;
  DispatchMap& operator=(const DispatchMap&) = delete;

  bool valid() const { return m_map != nullptr; }
  std::span<const uint8_t> bytes() const { return {static_cast<const uint8_t*>(m_bytes), m_size}; }

 private:
  void (*m_release)(dispatch_data_t) = nullptr;
  dispatch_data_t m_map = nullptr;
  const void* m_bytes = nullptr;
  size_t m_size = 0;
};

// Where a bundle may keep its default library: beside the program, or where a folder in the shape of an Apple
// bundle has its resources.
std::vector<fs::path> defaultPlaces(const fs::path& folder) {
  std::vector<fs::path> places = {folder / kDefaultName, folder / "Resources" / kDefaultName,
                                  folder / "Contents" / "Resources" / kDefaultName};
  if (folder.filename() == "MacOS" && folder.parent_path().filename() == "Contents")
    places.push_back(folder.parent_path() / "Resources" / kDefaultName);
  return places;
}

} // namespace

LibraryResult openLibraryFile(Device* device, std::string_view path) {
  if (path.empty()) return base::Error{"The path of the library file is empty.", kUnreadable};
  std::string file(path);
  BASANITE_TRY(LibraryBytes bytes, readLibraryBytes(file));
  LibraryResult library = open(device, bytes.bytes());
  if (!library)
    return base::Error{fmt::format("{}: {}", file, library.error().message), library.error().code};
  return library;
}

LibraryResult openLibraryUrl(Device* device, const NS::URL* url) {
  if (!url) return base::Error{"The URL of the library file is null.", kUnreadable};
  const foundation::Url& impl = *foundation::toImpl(url);
  if (!impl.isFile())
    return base::Error{fmt::format("A library is opened from a file URL, not from \"{}\".", impl.text()),
                       kUnreadable};
  return openLibraryFile(device, impl.filePath());
}

LibraryResult openLibraryData(Device* device, dispatch_data_t data) {
  if (!data) return base::Error{"The data of the library is null.", kInvalid};
  if (const foundation::Data* own = foundation::dataBehind(data))
    return open(device, {reinterpret_cast<const uint8_t*>(own->bytes().data()), own->bytes().size()});
  DispatchMap map(data);
  if (!map.valid())
    return base::Error{
        "The data of the library is no NS::Data, and the program is not linked with a libdispatch that could "
        "read it as its own.",
        kInvalid};
  return open(device, map.bytes());
}

LibraryResult openDefaultLibrary(Device* device, const NS::Bundle* bundle) {
  std::string folder;
  {
    foundation::AutoreleaseScope pool;
    folder = foundation::textOf((bundle ? bundle : NS::Bundle::mainBundle())->bundlePath());
  }
  std::string tried;
  for (const fs::path& place : defaultPlaces(folder)) {
    std::error_code failed;
    if (fs::exists(place, failed)) return openLibraryFile(device, place.string());
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", place.string());
  }
  return base::Error{fmt::format("There is no default library. Looked for: {}.", tried), kUnreadable};
}

} // namespace basanite::metal
