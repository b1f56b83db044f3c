// SPDX-License-Identifier: Apache-2.0
// Libraries from .metallib files: opened by path, URL and data, and as the default library; what is wrong
// with a file that cannot be used. default.metallib and second.metallib are made beside this program.
#include "tests/support/child_process.hpp"
#include "tests/support/metal_fixture.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace {

// Stands for a libdispatch that the program is linked with: a data object of two pieces.
struct DispatchPieces {
  std::vector<uint8_t> pieces[2];
};
int s_mapsAlive = 0;

} // namespace

extern "C" {
__attribute__((visibility("default"))) dispatch_data_t dispatch_data_create_map(dispatch_data_t data,
                                                                                const void** bytes,
                                                                                size_t* size) {
  const auto& object = *reinterpret_cast<const DispatchPieces*>(data);
  auto* whole = new DispatchPieces{{object.pieces[0], {}}};
  whole->pieces[0].insert(whole->pieces[0].end(), object.pieces[1].begin(), object.pieces[1].end());
  *bytes = whole->pieces[0].data();
  *size = whole->pieces[0].size();
  ++s_mapsAlive;
  return reinterpret_cast<dispatch_data_t>(whole);
}
__attribute__((visibility("default"))) void dispatch_release(dispatch_data_t data) {
  delete reinterpret_cast<DispatchPieces*>(data);
  --s_mapsAlive;
}
}

namespace basanite::tests {
namespace {

fs::path program() { return fs::read_symlink("/proc/self/exe"); }
fs::path besideProgram(const char* name) { return program().parent_path() / name; }

std::vector<uint8_t> bytesOf(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

std::set<std::string> names(MTL::Library* library) {
  std::set<std::string> names;
  for (NS::UInteger i = 0; i < library->functionNames()->count(); ++i)
    names.insert(library->functionNames()->object<NS::String>(i)->utf8String());
  return names;
}

const std::set<std::string> kDefaultNames = {"corner", "shade", "sumGroup", "scaled"};

class LibraryFile : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    std::string folder = (fs::temp_directory_path() / "basanite_library_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    m_folder = folder;
  }
  void TearDown() override {
    fs::remove_all(m_folder);
    MetalFixture::TearDown();
  }

  NS::SharedPtr<MTL::Library> open(const fs::path& path) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(m_device->newLibrary(string(path.string()), &error));
    EXPECT_TRUE(library) << text(error);
    EXPECT_EQ(error, nullptr);
    return library;
  }
  NS::SharedPtr<MTL::Library> defaultLibrary() { return open(besideProgram("default.metallib")); }

  // The error of a file that cannot be opened; its code goes to `code`.
  std::string errorOf(const fs::path& path, NS::Integer* code = nullptr) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(m_device->newLibrary(string(path.string()), &error));
    EXPECT_FALSE(library);
    if (!error) return "no error";
    EXPECT_STREQ(error->domain()->utf8String(), "MTLLibraryErrorDomain");
    if (code) *code = error->code();
    return text(error);
  }
  fs::path write(const char* name, const std::vector<uint8_t>& bytes) {
    fs::path path = m_folder / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    return path;
  }

  fs::path m_folder;
};

TEST_F(LibraryFile, ListsItsFunctions) {
  auto library = defaultLibrary();
  ASSERT_TRUE(library);
  EXPECT_EQ(names(library.get()), kDefaultNames);
  EXPECT_EQ(library->device(), m_device.get());
  EXPECT_EQ(library->type(), MTL::LibraryTypeExecutable);
  auto kernel = NS::TransferPtr(library->newFunction(MTLSTR("sumGroup")));
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->functionType(), MTL::FunctionTypeKernel);
  EXPECT_STREQ(kernel->name()->utf8String(), "sumGroup");
  EXPECT_FALSE(NS::TransferPtr(library->newFunction(MTLSTR("nothing"))));
}

TEST_F(LibraryFile, ReflectsVertexAttributesAndFunctionConstants) {
  auto library = defaultLibrary();
  ASSERT_TRUE(library);
  auto corner = NS::TransferPtr(library->newFunction(MTLSTR("corner")));
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->functionType(), MTL::FunctionTypeVertex);
  NS::Array* attributes = corner->vertexAttributes();
  ASSERT_EQ(attributes->count(), 2u);
  EXPECT_STREQ(attributes->object<MTL::VertexAttribute>(1)->name()->utf8String(), "color");
  EXPECT_EQ(attributes->object<MTL::VertexAttribute>(1)->attributeIndex(), 2u);
  EXPECT_EQ(attributes->object<MTL::VertexAttribute>(0)->attributeType(), MTL::DataTypeFloat2);
  EXPECT_EQ(attributes->object<MTL::VertexAttribute>(1)->attributeType(), MTL::DataTypeHalf4);

  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(library->newFunction(MTLSTR("scaled"), nullptr, &error)));
  EXPECT_NE(text(error).find("needs a value for its function constant \"factor\""), std::string::npos)
      << text(error);
  auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  uint32_t factor = 1;
  bool adds = false;
  values->setConstantValue(&factor, MTL::DataTypeUInt, NS::UInteger(3));
  values->setConstantValue(&adds, MTL::DataTypeBool, NS::UInteger(4));
  auto scaled = NS::TransferPtr(library->newFunction(MTLSTR("scaled"), values.get(), &error));
  ASSERT_TRUE(scaled) << text(error);
  NS::Dictionary* constants = scaled->functionConstantsDictionary();
  EXPECT_EQ(constants->count(), 2u);
  auto* constant = constants->object<MTL::FunctionConstant>(MTLSTR("adds"));
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->index(), 4u);
  EXPECT_EQ(constant->type(), MTL::DataTypeBool);
}

TEST_F(LibraryFile, ComputesAsItsSourceDoes) {
  auto library = defaultLibrary();
  ASSERT_TRUE(library);
  auto pipeline = computePipeline(library.get(), "sumGroup");
  ASSERT_TRUE(pipeline);
  std::vector<uint32_t> numbers(256);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i * i;
  auto input = sharedBuffer(numbers);
  auto output = sharedBuffer(std::vector<uint32_t>(4));
  auto table = argumentTable(2);
  table->setAddress(input->gpuAddress(), 0);
  table->setAddress(output->gpuAddress(), 1);
  dispatch(pipeline.get(), table.get(), 256);
  for (uint32_t group = 0; group < 4; ++group) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 64; ++i) sum += numbers[group * 64 + i];
    EXPECT_EQ(contents<uint32_t>(output.get())[group], sum);
  }
}

TEST_F(LibraryFile, FunctionConstantsChangeNumbersAndArguments) {
  auto library = defaultLibrary();
  ASSERT_TRUE(library);
  auto more = sharedBuffer(std::vector<uint32_t>(64, 1000));
  for (bool adds : {false, true}) {
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    uint32_t factor = 21;
    values->setConstantValue(&factor, MTL::DataTypeUInt, MTLSTR("factor"));
    values->setConstantValue(&adds, MTL::DataTypeBool, NS::UInteger(4));
    NS::Error* error = nullptr;
    auto function = NS::TransferPtr(library->newFunction(MTLSTR("scaled"), values.get(), &error));
    ASSERT_TRUE(function) << text(error);
    auto pipeline = NS::TransferPtr(m_device->newComputePipelineState(function.get(), &error));
    ASSERT_TRUE(pipeline) << text(error);
    auto output = sharedBuffer(std::vector<uint32_t>(64));
    auto table = argumentTable(2);
    table->setAddress(output->gpuAddress(), 0);
    if (adds) table->setAddress(more->gpuAddress(), 1);
    dispatch(pipeline.get(), table.get(), 64);
    EXPECT_EQ(contents<uint32_t>(output.get())[50], 50u * 42 + (adds ? 1000 : 0));
  }
}

TEST_F(LibraryFile, Draws) {
  auto library = defaultLibrary();
  ASSERT_TRUE(library);
  auto vertexLayout = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  vertexLayout->attributes()->object(0)->setFormat(MTL::VertexFormatFloat2);
  vertexLayout->attributes()->object(0)->setBufferIndex(1);
  vertexLayout->attributes()->object(2)->setFormat(MTL::VertexFormatUChar4Normalized);
  vertexLayout->attributes()->object(2)->setOffset(8);
  vertexLayout->attributes()->object(2)->setBufferIndex(1);
  vertexLayout->layouts()->object(1)->setStride(12);
  auto pipeline =
      renderPipeline(library.get(), "corner", "shade", [&](MTL4::RenderPipelineDescriptor* descriptor) {
        descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
        descriptor->setVertexDescriptor(vertexLayout.get());
      });
  ASSERT_TRUE(pipeline);
  struct Corner {
    float x, y;
    uint8_t color[4];
  };
  // Covers the upper left half.
  auto corners = sharedBuffer(std::vector<Corner>{
      {-1, 1, {255, 128, 0, 255}}, {-1, -1, {255, 128, 0, 255}}, {1, 1, {255, 128, 0, 255}}});
  auto scale =
      sharedBuffer(std::vector<float>{0.6f}); // 255 and 128 become 153 and 76.8: no device rounds them apart
  auto table = argumentTable(2);
  table->setAddress(scale->gpuAddress(), 0);
  table->setAddress(corners->gpuAddress(), 1);
  auto target = colorTarget(8, 8);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setRenderPipelineState(pipeline.get());
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
              encoder->endEncoding();
            }),
            "");
  std::vector<Pixel> drawn = pixels(target.get());
  EXPECT_EQ(drawn[0], (Pixel{153, 77, 0, 153}));
  EXPECT_EQ(drawn[63], (Pixel{0, 0, 0, 255}));
}

TEST_F(LibraryFile, SeveralSourcesAndInstantiatedTemplates) {
  auto library = open(besideProgram("second.metallib"));
  ASSERT_TRUE(library);
  std::set<std::string> expected = kDefaultNames;
  expected.insert({"fill<float>", "fill<uchar>"});
  EXPECT_EQ(names(library.get()), expected);
  auto pipeline = computePipeline(library.get(), "fill<uchar>");
  ASSERT_TRUE(pipeline);
  auto output = sharedBuffer(std::vector<uint8_t>(64));
  auto value = sharedBuffer(std::vector<uint8_t>(4, 201));
  auto table = argumentTable(2);
  table->setAddress(output->gpuAddress(), 0);
  table->setAddress(value->gpuAddress(), 1);
  dispatch(pipeline.get(), table.get(), 64);
  EXPECT_EQ(contents<uint8_t>(output.get()), std::vector<uint8_t>(64, 201));
}

TEST_F(LibraryFile, OpensByUrl) {
  fs::path path = m_folder / "a folder" / "a library.metallib";
  fs::create_directory(path.parent_path());
  fs::copy_file(besideProgram("default.metallib"), path);
  NS::Error* error = nullptr;
  auto library =
      NS::TransferPtr(m_device->newLibrary(NS::URL::fileURLWithPath(string(path.string())), &error));
  ASSERT_TRUE(library) << text(error);
  EXPECT_EQ(names(library.get()), kDefaultNames);

  auto web = NS::TransferPtr(NS::URL::alloc()->init(MTLSTR("https://example.org/x.metallib")));
  EXPECT_FALSE(NS::TransferPtr(m_device->newLibrary(web.get(), &error)));
  EXPECT_EQ(text(error), "A library is opened from a file URL, not from \"https://example.org/x.metallib\".");
  EXPECT_FALSE(NS::TransferPtr(m_device->newLibrary(static_cast<NS::URL*>(nullptr), &error)));
  EXPECT_EQ(text(error), "The URL of the library file is null.");
}

TEST_F(LibraryFile, OpensDataOfALinkedLibdispatch) {
  std::vector<uint8_t> bytes = bytesOf(besideProgram("default.metallib"));
  DispatchPieces object{{{bytes.begin(), bytes.begin() + 777}, {bytes.begin() + 777, bytes.end()}}};
  auto data = reinterpret_cast<dispatch_data_t>(&object);
  NS::Error* error = nullptr;
  auto library = NS::TransferPtr(m_device->newLibrary(data, &error));
  ASSERT_TRUE(library) << text(error);
  EXPECT_EQ(names(library.get()), kDefaultNames);
  EXPECT_EQ(s_mapsAlive, 0);
  object.pieces[1].pop_back();
  EXPECT_FALSE(NS::TransferPtr(m_device->newLibrary(data, &error)));
  EXPECT_NE(text(error).find("The library file is damaged: its header says"), std::string::npos)
      << text(error);
  EXPECT_EQ(s_mapsAlive, 0);
  EXPECT_FALSE(NS::TransferPtr(m_device->newLibrary(static_cast<dispatch_data_t>(nullptr), &error)));
  EXPECT_EQ(text(error), "The data of the library is null.");
}

// On Apple's platforms data of either kind serves as the other; here an NS::Data serves as a dispatch_data_t.
TEST_F(LibraryFile, TakesAnNsDataForDispatchData) {
  auto heap = counterHeap(1);
  NS::Data* zeros = heap->resolveCounterRange(NS::Range::Make(0, 1));
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_device->newLibrary(reinterpret_cast<dispatch_data_t>(zeros), &error)));
  EXPECT_EQ(text(error),
            "The file is no Metal library: it begins with 00 00 00 00, not with 4d 54 4c 42 (MTLB).");
}

TEST_F(LibraryFile, WrongFilesAreOneSentence) {
  NS::Integer code = 0;
  fs::path missing = m_folder / "missing.metallib";
  EXPECT_EQ(errorOf(missing, &code),
            missing.string() + ": the library file could not be read: No such file or directory.");
  EXPECT_EQ(code, NS::Integer(MTL::LibraryErrorFileNotFound));
  EXPECT_EQ(errorOf(m_folder, &code), m_folder.string() + ": this is a folder, not a library file.");
  EXPECT_EQ(code, NS::Integer(MTL::LibraryErrorFileNotFound));
  EXPECT_EQ(errorOf(""), "The path of the library file is empty.");
  fs::path empty = write("empty.metallib", {});
  EXPECT_EQ(errorOf(empty, &code), empty.string() + ": The file is empty, so it is no Metal library.");
  EXPECT_EQ(code, NS::Integer(MTL::LibraryErrorUnsupported));
  fs::path source = write("source.metal", {'k', 'e', 'r', 'n', 'e', 'l'});
  EXPECT_EQ(errorOf(source),
            source.string() +
                ": The file is no Metal library: it begins with 6b 65 72 6e, not with 4d 54 4c 42 (MTLB).");
}

// Files with holes, larger than any memory: what the header speaks of is read, and no more.
TEST_F(LibraryFile, HugeFilesTakeNoMemory) {
  constexpr uint64_t kHuge = uint64_t(1) << 40;
  std::vector<uint8_t> whole = bytesOf(besideProgram("default.metallib"));
  fs::path path = write("huge.metallib", whole);
  fs::resize_file(path, kHuge);
  auto library = open(path);
  ASSERT_TRUE(library);
  EXPECT_EQ(names(library.get()), kDefaultNames);

  auto headerSays = [&](uint64_t size) {
    std::vector<uint8_t> bytes = whole;
    for (size_t i = 0; i < 8; ++i) bytes[16 + i] = static_cast<uint8_t>(size >> (8 * i));
    write("huge.metallib", bytes);
    fs::resize_file(path, kHuge);
    return errorOf(path);
  };
  std::string prefix = path.string() + ": ";
  EXPECT_EQ(headerSays(kHuge),
            prefix + "The library has 1099511627776 bytes, but one of at most 4294967296 can be opened.");
  EXPECT_EQ(headerSays(2 * kHuge), prefix + "The library file is damaged: its header says that it has "
                                            "2199023255552 bytes, but there are 1099511627776.");
  EXPECT_EQ(headerSays(20), prefix + "The library file is damaged: its header says that it has 20 bytes, "
                                     "fewer than the 88 of the header itself.");
  write("huge.metallib", {});
  fs::resize_file(path, kHuge);
  EXPECT_EQ(errorOf(path), prefix +
                               "The file is no Metal library: it begins with 00 00 00 00, not with 4d 54 "
                               "4c 42 (MTLB).");

  // A universal file with one slice.
  std::vector<uint8_t> universal = {0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 1, 1, 0, 0, 23, 0, 0, 0, 1, 0, 0, 0, 28};
  for (int shift : {24, 16, 8, 0}) universal.push_back(static_cast<uint8_t>(whole.size() >> shift));
  universal.insert(universal.end(), 4, 0);
  universal.insert(universal.end(), whole.begin(), whole.end());
  write("huge.metallib", universal);
  fs::resize_file(path, kHuge);
  library = open(path);
  ASSERT_TRUE(library);
  EXPECT_EQ(names(library.get()), kDefaultNames);
  // More slices than its header can name at once.
  universal[6] = 0x10;
  write("huge.metallib", universal);
  fs::resize_file(path, kHuge);
  EXPECT_EQ(errorOf(path),
            prefix + "The library has 1099511627776 bytes, but one of at most 4294967296 can be opened.");
}

TEST_F(LibraryFile, PipesAndDevicesAreRefused) {
  fs::path pipe = m_folder / "pipe.metallib";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  NS::Integer code = 0;
  EXPECT_EQ(errorOf(pipe, &code), pipe.string() + ": this is a pipe or a device, not a library file.");
  EXPECT_EQ(code, NS::Integer(MTL::LibraryErrorFileNotFound));
  EXPECT_EQ(errorOf("/dev/zero"), "/dev/zero: this is a pipe or a device, not a library file.");
}

TEST_F(LibraryFile, DamagedFilesAreErrorsAndTheDeviceLives) {
  std::vector<uint8_t> whole = bytesOf(besideProgram("default.metallib"));
  for (size_t at = 0; at < whole.size(); at += 61) {
    std::vector<uint8_t> broken = whole;
    broken[at] ^= 0xff;
    NS::Error* error = nullptr;
    fs::path path = write("broken.metallib", broken);
    auto library = NS::TransferPtr(m_device->newLibrary(string(path.string()), &error));
    if (library)
      EXPECT_EQ(library->functionNames()->count(), 4u) << at; // in a byte that nothing depends on
    else
      EXPECT_NE(text(error).find(path.string()), std::string::npos) << text(error);
  }
  whole.resize(whole.size() / 2);
  EXPECT_NE(errorOf(write("half.metallib", whole)).find("its header says that it has"), std::string::npos);
  EXPECT_TRUE(defaultLibrary());
}

// ---- the default library

// Prints the names of the default library's functions, or that there is none.
int printDefaultLibrary() {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 3;
  auto library = NS::TransferPtr(device->newDefaultLibrary());
  if (!library) {
    std::printf("none\n");
    return 1;
  }
  for (const std::string& name : names(library.get())) std::printf("%s ", name.c_str());
  return 0;
}

class DefaultLibrary : public LibraryFile {
 protected:
  // This program, copied to another folder, run from yet another one.
  ChildResult runCopy(const fs::path& folder) {
    fs::create_directories(folder);
    fs::path copy = folder / "copy";
    fs::copy_file(program(), copy, fs::copy_options::overwrite_existing);
    fs::path elsewhere = m_folder / "elsewhere";
    fs::create_directories(elsewhere);
    return runScenario("defaultLibrary", {}, {copy.string(), elsewhere.string()});
  }
};

TEST_F(DefaultLibrary, B77IsFoundBesideTheProgramFromAnyFolder) {
  fs::create_directories(m_folder / "program");
  fs::copy_file(besideProgram("default.metallib"), m_folder / "program" / "default.metallib");
  ChildResult result = runCopy(m_folder / "program");
  EXPECT_EQ(result.exitCode, 0) << result.output;
  EXPECT_EQ(result.output, "corner scaled shade sumGroup ");
}

TEST_F(DefaultLibrary, B77WithoutAFileIsNullAndOneMessageThatListsWhatWasTried) {
  // The working directory is not searched.
  fs::create_directories(m_folder / "elsewhere");
  fs::copy_file(besideProgram("default.metallib"), m_folder / "elsewhere" / "default.metallib");
  fs::path folder = fs::canonical(m_folder) / "program";
  ChildResult result = runCopy(folder);
  EXPECT_EQ(result.exitCode, 1) << result.output;
  std::string root = folder.string();
  EXPECT_EQ(result.output,
            "basanite: error: Device::newDefaultLibrary: There is no default library. Looked for: " + root +
                "/default.metallib, " + root + "/Resources/default.metallib, " + root +
                "/Contents/Resources/default.metallib.\nnone\n");
}

TEST_F(DefaultLibrary, B77IsFoundInTheResourcesOfABundle) {
  for (auto [folder, file] :
       {std::pair("A/program", "A/program/Resources"), {"B/Contents/MacOS", "B/Contents/Resources"}}) {
    fs::create_directories(m_folder / file);
    fs::copy_file(besideProgram("default.metallib"), m_folder / file / "default.metallib");
    ChildResult result = runCopy(m_folder / folder);
    EXPECT_EQ(result.exitCode, 0) << result.output;
  }
}

TEST_F(DefaultLibrary, B77ADamagedFileIsNullAndAMessage) {
  std::vector<uint8_t> bytes = bytesOf(besideProgram("default.metallib"));
  bytes.resize(bytes.size() - 1);
  fs::create_directories(m_folder / "program" / "Resources");
  write("program/default.metallib", bytes);
  // The first file that exists decides.
  fs::copy_file(besideProgram("default.metallib"), m_folder / "program" / "Resources" / "default.metallib");
  ChildResult result = runCopy(m_folder / "program");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_NE(result.output.find("program/default.metallib: The library file is damaged: "), std::string::npos)
      << result.output;
}

TEST_F(DefaultLibrary, OfABundle) {
  fs::copy_file(besideProgram("second.metallib"), m_folder / "default.metallib");
  NS::Error* error = nullptr;
  NS::Bundle* bundle = NS::Bundle::bundle(string(m_folder.string()));
  auto library = NS::TransferPtr(m_device->newDefaultLibrary(bundle, &error));
  ASSERT_TRUE(library) << text(error);
  EXPECT_EQ(names(library.get()).size(), 6u);
  fs::remove(m_folder / "default.metallib");
  EXPECT_FALSE(NS::TransferPtr(m_device->newDefaultLibrary(bundle, &error)));
  EXPECT_NE(text(error).find("There is no default library. Looked for: "), std::string::npos) << text(error);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorFileNotFound));
  // The main bundle's.
  auto own = NS::TransferPtr(m_device->newDefaultLibrary());
  ASSERT_TRUE(own);
  EXPECT_EQ(names(own.get()), kDefaultNames);
}

} // namespace
} // namespace basanite::tests

int main(int argumentCount, char** arguments) {
  if (basanite::tests::scenarioName() == "defaultLibrary") return basanite::tests::printDefaultLibrary();
  testing::InitGoogleTest(&argumentCount, arguments);
  return RUN_ALL_TESTS();
}
