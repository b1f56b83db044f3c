// SPDX-License-Identifier: Apache-2.0
// The buffers change hands under locks that nobody holds for long; the disk is only ever waited for by the
// writer.
#include "src/trace/recorder.hpp"

#include "src/base/host_clock.hpp"
#include "src/base/log.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace basanite::trace {

namespace detail {
std::atomic<Recorder*> g_recorder{nullptr};
}

namespace {

// A thread's name as it is now: the operating system has 15 characters for it.
std::string threadName() {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof(name));
  return name;
}

std::string commandLine() {
  std::string text;
  std::FILE* file = std::fopen("/proc/self/cmdline", "rbe");
  if (!file) return text;
  text.resize(Recorder::kMaxTextBytes);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  if (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

uint64_t unixNowNs() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

size_t recordBytes(size_t payloadBytes) { return sizeof(RecordHeader) + (payloadBytes + 7) / 8 * 8; }

void appendRecord(std::vector<std::byte>& block, RecordKind kind, std::span<const std::byte> payload,
                  std::span<const std::byte> more) {
  const size_t bytes = recordBytes(payload.size() + more.size());
  const RecordHeader header{kind, static_cast<uint16_t>(bytes), 0};
  const size_t at = block.size();
  block.resize(at + bytes); // padding is 0
  std::memcpy(&block[at], &header, sizeof(header));
  std::memcpy(&block[at + sizeof(header)], payload.data(), payload.size());
  if (!more.empty()) std::memcpy(&block[at + sizeof(header) + payload.size()], more.data(), more.size());
}

} // namespace

// Plain variables stay good after a thread's objects have been destroyed, when it may still record: the main
// thread does so from the program's static destructors.
struct Recorder::Holder {
  static thread_local uint64_t t_serial; // of the recorder whose buffer this is
  static thread_local ThreadBuffer* t_buffer;
  static thread_local bool t_gone;

  std::shared_ptr<ThreadBuffer> buffer;
  ~Holder() {
    t_gone = true;
    t_serial = 0;
    leave();
  }
  void leave() {
    if (!buffer) return;
    std::lock_guard lock(buffer->mutex);
    buffer->left = true;
  }
};
thread_local uint64_t Recorder::Holder::t_serial = 0;
thread_local Recorder::ThreadBuffer* Recorder::Holder::t_buffer = nullptr;
thread_local bool Recorder::Holder::t_gone = false;

base::Result<std::unique_ptr<Recorder>> Recorder::create(const Options& options) {
  std::unique_ptr<Recorder> recorder(new Recorder(options));
  BASANITE_TRY_VOID(recorder->openFile());
  recorder->addProcess();
  // Signals are the program's: its handlers run on its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  recorder->m_writer = std::thread([self = recorder.get()] { self->run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return recorder;
}

base::Result<Recorder*> Recorder::start(const Options& options) {
  BASANITE_TRY(auto recorder, create(options));
  Recorder* started = recorder.release();
  detail::g_recorder.store(started, std::memory_order_release);
  // A forked child has neither the writer nor, most likely, whole buffers.
  pthread_atfork(nullptr, nullptr, forgetInChild);
  std::atexit([] {
    if (Recorder* running = trace::recorder()) running->finish();
  });
  return started;
}

Recorder::~Recorder() {
  finish();
  if (m_file >= 0) close(m_file);
}

void Recorder::forgetInChild() {
  if (Recorder* parents = detail::g_recorder.exchange(nullptr)) parents->m_open = false;
}

base::Result<void> Recorder::openFile() {
  const auto refuse = [&](int error) {
    return base::Error{
        fmt::format("The file {} cannot be written: {}.", m_options.path, std::strerror(error))};
  };
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  constexpr mode_t kMode = 0666;
  m_file = open(m_options.path.c_str(), kFlags, kMode);
  if (m_file < 0) return refuse(errno);
  // A program that was started by one that records there has the variable from it.
  if (flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(m_file);
    m_options.path += fmt::format(".{}", getpid());
    m_file = open(m_options.path.c_str(), kFlags, kMode);
    if (m_file < 0) return refuse(errno);
  }
  struct stat status{};
  // Not so for a pipe or a terminal.
  if (fstat(m_file, &status) == 0 && S_ISREG(status.st_mode) && ftruncate(m_file, 0) != 0)
    return refuse(errno);
  const FileHeader header;
  if (write(m_file, &header, sizeof(header)) != static_cast<ssize_t>(sizeof(header))) return refuse(errno);
  m_writtenBytes = sizeof(header);
  return {};
}

void Recorder::addProcess() {
  ProcessRecord record;
  record.startHostNs = base::hostNowNs();
  record.startUnixNs = unixNowNs();
  record.firstFrame = m_options.firstFrame;
  record.lastFrame = m_options.lastFrame;
  record.processId = static_cast<uint32_t>(getpid());
  record.commandLine = text(commandLine());
  record.version = text(BASANITE_VERSION);
  record.precise = m_options.precise ? 1 : 0;
  record.every = m_options.every;
  add(record);
}

uint32_t Recorder::threadId() {
  static thread_local const auto s_id = static_cast<uint32_t>(gettid());
  return s_id;
}

uint64_t Recorder::nextObjectId() {
  static std::atomic<uint64_t> s_last{0};
  return s_last.fetch_add(1, std::memory_order_relaxed) + 1;
}

Recorder::ThreadBuffer& Recorder::buffer() {
  if (Holder::t_serial == m_serial) [[likely]]
    return *Holder::t_buffer;
  auto fresh = std::make_shared<ThreadBuffer>();
  fresh->thread = threadId();
  fresh->left = Holder::t_gone;
  const ThreadRecord record{fresh->thread, text(threadName())};
  append(*fresh, ThreadRecord::kKind, std::as_bytes(std::span(&record, 1)));
  if (!Holder::t_gone) {
    static thread_local Holder t_holder;
    t_holder.leave();
    t_holder.buffer = fresh;
    Holder::t_serial = m_serial;
    Holder::t_buffer = fresh.get();
  }
  std::lock_guard lock(m_buffersMutex);
  m_buffers.push_back(fresh);
  return *fresh;
}

void Recorder::add(RecordKind kind, std::span<const std::byte> payload) {
  if (!m_open.load(std::memory_order_relaxed)) return;
  append(buffer(), kind, payload);
}

void Recorder::append(ThreadBuffer& buffer, RecordKind kind, std::span<const std::byte> payload) {
  std::lock_guard lock(buffer.mutex);
  if (buffer.open.size() + recordBytes(payload.size()) > kBlockBytes) {
    if (m_fullBlocks.load(std::memory_order_relaxed) >= kMaxFullBlocks) {
      m_lostRecords.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    buffer.full.push_back(std::exchange(buffer.open, {}));
    m_fullBlocks.fetch_add(1, std::memory_order_relaxed);
    m_wake.notify_one();
  }
  if (buffer.open.capacity() == 0) buffer.open.reserve(kBlockBytes);
  appendRecord(buffer.open, kind, payload, {});
}

StringId Recorder::text(std::string_view text) {
  if (text.empty() || !m_open.load(std::memory_order_relaxed)) return 0;
  text = text.substr(0, kMaxTextBytes);
  std::lock_guard lock(m_textMutex);
  if (const auto known = m_texts.find(text); known != m_texts.end()) return known->second;
  if (m_newTexts.size() >= kMaxFullBlocks) {
    m_lostRecords.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  // Labels may count frames; a text that was forgotten gets another number.
  if (m_texts.size() >= kMaxKnownTexts) m_texts.clear();
  const StringRecord record{++m_lastText, static_cast<uint32_t>(text.size())};
  if (m_newTexts.empty() ||
      m_newTexts.back().size() + recordBytes(sizeof(record) + text.size()) > kBlockBytes)
    m_newTexts.emplace_back();
  appendRecord(m_newTexts.back(), StringRecord::kKind, std::as_bytes(std::span(&record, 1)),
               std::as_bytes(std::span(text)));
  m_texts.emplace(text, record.id);
  return record.id;
}

void Recorder::warn(std::string_view sentence) { add(WarningRecord{base::hostNowNs(), text(sentence), 0}); }

void Recorder::onTick(std::function<void()> tick) {
  std::lock_guard lock(m_ticksMutex);
  m_ticks.push_back(std::move(tick));
}

void Recorder::tick() {
  std::lock_guard lock(m_ticksMutex);
  for (const auto& tick : m_ticks) tick();
}

void Recorder::run() {
  pthread_setname_np(pthread_self(), "basanite-trace");
  uint64_t lastTickNs = base::hostNowNs();
  for (bool stop = false; !stop;) {
    {
      std::unique_lock lock(m_wakeMutex);
      m_wake.wait_for(lock, std::chrono::nanoseconds(kFlushIntervalNs),
                      [&] { return m_stop || m_fullBlocks.load(std::memory_order_relaxed) > 0; });
      stop = m_stop;
    }
    if (stop || base::hostNowNs() - lastTickNs >= kTickIntervalNs) {
      tick();
      lastTickNs = base::hostNowNs();
    }
    if (stop) m_open = false;
    flush();
  }
  Block last;
  const LostRecord lost{m_lostStamps, m_lostRecords};
  const EndRecord end{base::hostNowNs()};
  appendRecord(last, LostRecord::kKind, std::as_bytes(std::span(&lost, 1)), {});
  appendRecord(last, EndRecord::kKind, std::as_bytes(std::span(&end, 1)), {});
  writeChunk(threadId(), last);
}

void Recorder::flush() {
  struct Taken {
    uint32_t thread;
    std::vector<Block> full;
    Block open;
  };
  std::vector<Taken> taken;
  {
    std::lock_guard lock(m_buffersMutex);
    std::erase_if(m_buffers, [&](const auto& buffer) {
      std::lock_guard bufferLock(buffer->mutex);
      taken.push_back({buffer->thread, std::exchange(buffer->full, {}), std::exchange(buffer->open, {})});
      return buffer->left;
    });
  }
  // Taken behind the records, so it has every text that they name.
  std::vector<Block> texts;
  {
    std::lock_guard lock(m_textMutex);
    texts = std::exchange(m_newTexts, {});
  }
  for (const Block& block : texts) writeChunk(0, block);
  for (const Taken& part : taken) {
    for (const Block& block : part.full) writeChunk(part.thread, block);
    m_fullBlocks.fetch_sub(part.full.size(), std::memory_order_relaxed);
    if (!part.open.empty()) writeChunk(part.thread, part.open);
  }
  const LostRecord lost{m_lostStamps, m_lostRecords};
  if (lost.stamps == m_reportedLost.stamps && lost.records == m_reportedLost.records) return;
  m_reportedLost = lost;
  Block block;
  appendRecord(block, LostRecord::kKind, std::as_bytes(std::span(&lost, 1)), {});
  writeChunk(threadId(), block);
}

void Recorder::writeChunk(uint32_t thread, const Block& block) {
  if (!m_writable) return;
  ChunkHeader header{thread, static_cast<uint32_t>(block.size())};
  const size_t total = sizeof(header) + block.size();
  for (size_t done = 0; done < total;) {
    iovec parts[2] = {{&header, sizeof(header)}, {const_cast<std::byte*>(block.data()), block.size()}};
    const size_t ofHeader = std::min(done, sizeof(header));
    parts[0].iov_base = static_cast<char*>(parts[0].iov_base) + ofHeader;
    parts[0].iov_len -= ofHeader;
    parts[1].iov_base = static_cast<char*>(parts[1].iov_base) + (done - ofHeader);
    parts[1].iov_len -= done - ofHeader;
    const ssize_t written = writev(m_file, parts, 2);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return stopWriting(errno);
    done += static_cast<size_t>(written);
  }
  m_writtenBytes += total;
}

void Recorder::stopWriting(int error) {
  m_writable = false;
  // The file ends with its last whole chunk; where that cannot be had either, readers find the cut.
  const bool whole = ftruncate(m_file, static_cast<off_t>(m_writtenBytes)) == 0;
  base::logError("Recording to {} stopped after {} bytes: {}. What is there is {}.", m_options.path,
                 m_writtenBytes, std::strerror(error), whole ? "kept" : "kept, with a cut at its end");
}

void Recorder::finish() {
  std::lock_guard lock(m_finishMutex);
  if (!m_writer.joinable()) return;
  {
    std::lock_guard wake(m_wakeMutex);
    m_stop = true;
  }
  m_wake.notify_one();
  m_writer.join();
}

} // namespace basanite::trace
