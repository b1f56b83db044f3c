// SPDX-License-Identifier: Apache-2.0
// Takes records from any thread and brings them to the file: a buffer a thread, one thread that writes.
#pragma once

#include "src/base/result.hpp"
#include "src/trace/format.hpp"
#include "src/trace/options.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace basanite::trace {

// Thread-safe. One a process; it is never destroyed, since threads may still record while the process exits.
// What it holds is bounded: where the disk does not keep up, records are dropped and counted.
class Recorder {
 public:
  // How often what was recorded goes to the file: as much a killed program loses.
  static constexpr uint64_t kFlushIntervalNs = 100'000'000;
  static constexpr uint64_t kTickIntervalNs = 1'000'000'000;

  // Creates the file and starts writing; finish() runs when the process exits. Error: the file cannot be
  // created.
  static base::Result<Recorder*> start(const Options& options);
  // The same without its place in recorder() and at the exit of the process: for tests.
  static base::Result<std::unique_ptr<Recorder>> create(const Options& options);
  ~Recorder();

  const Options& options() const { return m_options; }
  const std::string& path() const { return m_options.path; }

  // Its number in the file; 0 for no text. Texts are cut after kMaxTextBytes.
  StringId text(std::string_view text);
  static constexpr size_t kMaxTextBytes = 32'768;

  template <class T> void add(const T& record) { add(T::kKind, std::as_bytes(std::span(&record, 1))); }
  // A sentence for the report.
  void warn(std::string_view sentence);
  // The calling thread's id in the file.
  static uint32_t threadId();
  static uint64_t nextObjectId();

  // Calls `tick` on the writing thread about every second, and from finish(). It may record, and must not
  // wait long.
  void onTick(std::function<void()> tick);
  void noteLostStamps(uint64_t count) { m_lostStamps.fetch_add(count, std::memory_order_relaxed); }

  // Writes what is left and closes the file in good order. Later records are dropped. Any number of times.
  void finish();

 private:
  using Block = std::vector<std::byte>;
  static constexpr size_t kBlockBytes = 65'536;
  static constexpr size_t kMaxFullBlocks = 512;
  static constexpr size_t kMaxKnownTexts = 16'384;
  struct ThreadBuffer {
    std::mutex mutex;
    uint32_t thread = 0;
    std::vector<Block> full; // guarded by mutex, as the others
    Block open;
    bool left = false; // the thread has ended
  };
  struct Holder; // of a thread's buffer

  explicit Recorder(const Options& options) : m_options(options) {}
  base::Result<void> openFile();
  void add(RecordKind kind, std::span<const std::byte> payload);
  ThreadBuffer& buffer();
  void append(ThreadBuffer& buffer, RecordKind kind, std::span<const std::byte> payload);
  void addProcess();
  void run();
  void flush();
  void tick();
  void writeChunk(uint32_t thread, const Block& block);
  void stopWriting(int error);
  static void forgetInChild();

  Options m_options;
  const uint64_t m_serial =
      nextObjectId(); // tells recorders apart, which may follow each other at an address
  int m_file = -1;
  uint64_t m_writtenBytes = 0; // whole chunks; of the writer, as m_reportedLost
  LostRecord m_reportedLost;
  std::atomic<bool> m_open{true};
  std::atomic<bool> m_writable{true};
  std::atomic<uint64_t> m_lostStamps{0}, m_lostRecords{0};
  std::atomic<size_t> m_fullBlocks{0};

  std::mutex m_buffersMutex;
  std::vector<std::shared_ptr<ThreadBuffer>> m_buffers;

  std::mutex m_textMutex;
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, StringId, TextHash, std::equal_to<>> m_texts;
  StringId m_lastText = 0;
  std::vector<Block> m_newTexts; // records that are not in the file yet

  std::mutex m_ticksMutex;
  std::vector<std::function<void()>> m_ticks;

  std::mutex m_wakeMutex;
  std::condition_variable m_wake;
  bool m_stop = false;
  std::mutex m_finishMutex;
  std::thread m_writer;
};

namespace detail {
extern std::atomic<Recorder*> g_recorder;
}

// The process's recorder; null while nothing is recorded, which is all that a program without BASANITE_TRACE
// pays.
inline Recorder* recorder() { return detail::g_recorder.load(std::memory_order_acquire); }

} // namespace basanite::trace
