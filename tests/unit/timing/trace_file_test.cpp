// SPDX-License-Identifier: Apache-2.0
// Trace files, read back with a JSON parser.
#include "src/timing/trace_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <map>
#include <set>

namespace basanite::timing {
namespace {

using Json = nlohmann::json;

std::vector<Json> eventsOf(const Json& trace, std::string_view phase) {
  std::vector<Json> events;
  for (const Json& event : trace.at("traceEvents"))
    if (event.at("ph") == phase) events.push_back(event);
  return events;
}

std::map<int, std::string> threadNames(const Json& trace) {
  std::map<int, std::string> names;
  for (const Json& event : eventsOf(trace, "M"))
    if (event.at("name") == "thread_name") names[event.at("tid")] = event.at("args").at("name");
  return names;
}

TEST(TraceFile, EventsCarryMicrosecondsAndArguments) {
  const std::vector<Span> spans = {
      {"shadow", Lane::vertex, Granularity::precise, 4, 1'000'000'000'000'001, 1'000'000'000'012'346},
      {"scene", Lane::fragment, Granularity::relaxed, 4, 1'000'000'000'012'346, 1'000'000'000'500'000}};
  const Json trace = Json::parse(traceJson(spans, {.processName = "app", .deviceName = "GPU 1"}));

  EXPECT_EQ(trace.at("displayTimeUnit"), "ns");
  EXPECT_EQ(trace.at("otherData").at("device"), "GPU 1");
  const std::vector<Json> events = eventsOf(trace, "X");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].at("name"), "shadow");
  EXPECT_EQ(events[0].at("cat"), "vertex");
  EXPECT_DOUBLE_EQ(events[0].at("ts"), 0.0);
  EXPECT_DOUBLE_EQ(events[0].at("dur"), 12.345);
  EXPECT_EQ(events[0].at("args").at("frame"), 4);
  EXPECT_EQ(events[0].at("args").at("granularity"), "precise");
  EXPECT_EQ(events[0].at("args").at("start_ns"), 1'000'000'000'000'001u);
  EXPECT_DOUBLE_EQ(events[1].at("ts"), 12.345);
  EXPECT_EQ(events[1].at("args").at("granularity"), "relaxed");
}

TEST(TraceFile, ProcessAndThreadsAreNamedInLaneOrder) {
  const std::vector<Span> spans = {{"c", Lane::compute, Granularity::precise, 0, 10, 20},
                                   {"v", Lane::vertex, Granularity::precise, 0, 10, 20},
                                   {"b", Lane::commandBuffer, Granularity::none, 0, 10, 20}};
  const Json trace = Json::parse(traceJson(spans, {.processName = "app", .deviceName = ""}));
  EXPECT_FALSE(trace.contains("otherData"));
  EXPECT_EQ(eventsOf(trace, "M").front().at("name"), "process_name");
  EXPECT_EQ(eventsOf(trace, "M").front().at("args").at("name"), "app");

  const std::map<int, std::string> names = threadNames(trace);
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names.at(1), "command buffer");
  EXPECT_EQ(names.at(2), "vertex");
  EXPECT_EQ(names.at(3), "compute");
  for (const Json& event : eventsOf(trace, "X")) EXPECT_EQ(names.at(event.at("tid")), event.at("cat"));
}

TEST(TraceFile, OverlapsGetTracksOfTheirOwn) {
  const std::vector<Span> spans = {{"a", Lane::vertex, Granularity::precise, 0, 10, 30},
                                   {"b", Lane::vertex, Granularity::precise, 0, 20, 40}};
  const Json trace = Json::parse(traceJson(spans));
  const std::vector<Json> events = eventsOf(trace, "X");
  EXPECT_NE(events[0].at("tid"), events[1].at("tid"));
  EXPECT_EQ(threadNames(trace).at(events[1].at("tid")), "vertex 2");
}

TEST(TraceFile, OddSpans) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const std::vector<Span> spans = {{"reversed", Lane::vertex, Granularity::precise, 0, 300, 100},
                                   {"unwritten", Lane::compute, Granularity::precise, 0, 0, 100},
                                   {"none", Lane::fragment, Granularity::precise, 0, 200, 200},
                                   {"huge", Lane::fragment, Granularity::precise, 0, kMax - 1000, kMax}};
  const Json trace = Json::parse(traceJson(spans));
  const std::vector<Json> events = eventsOf(trace, "X");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_DOUBLE_EQ(events[0].at("ts"), 0.2); // the origin is its end, the earliest time
  EXPECT_DOUBLE_EQ(events[0].at("dur"), 0.0);
  EXPECT_EQ(events[0].at("args").at("duration_ns"), -200);
  EXPECT_TRUE(events[0].at("args").contains("note"));
  EXPECT_DOUBLE_EQ(events[1].at("dur"), 0.0);
  EXPECT_DOUBLE_EQ(events[2].at("dur"), 1.0);
  EXPECT_EQ(events[2].at("args").at("end_ns"), kMax);
  for (const auto& [id, name] : threadNames(trace)) EXPECT_NE(name, "compute");
}

TEST(TraceFile, EmptyAndStrangeNames) {
  const Json empty = Json::parse(traceJson({}));
  EXPECT_TRUE(eventsOf(empty, "X").empty());

  const std::vector<Span> spans = {{"<\"&\\> 日本", Lane::vertex, Granularity::none, 0, 1, 2},
                                   {"bad \xFF", Lane::vertex, Granularity::none, 0, 3, 4}};
  const std::vector<Json> events = eventsOf(Json::parse(traceJson(spans)), "X");
  EXPECT_EQ(events[0].at("name"), "<\"&\\> 日本");
  EXPECT_EQ(events[1].at("name"), "bad \uFFFD");
}

} // namespace
} // namespace basanite::timing
