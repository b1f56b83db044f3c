// SPDX-License-Identifier: Apache-2.0
// Prints tables and writes JSON; see the header.
#include "benchmarks/harness/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace basanite::benchmarks {

namespace {

bool isRatio(const std::string& column) { return column.find('/') != std::string::npos; }

std::string shown(const Cell& cell, int digits) {
  return cell.summary() ? fmt::format("{:.{}f}", cell.summary()->median, digits) : "-";
}

} // namespace

Report::Report(std::string benchmark, std::string device, unsigned repeats)
    : m_benchmark(std::move(benchmark)), m_device(std::move(device)), m_repeats(repeats) {}

void Report::table(std::string title, std::string unit, std::vector<std::string> columns, int digits) {
  m_tables.push_back({std::move(title), std::move(unit), std::move(columns), digits, {}, {}});
}

void Report::row(std::string name, std::vector<Cell> cells) {
  m_tables.back().rows.push_back({std::move(name), std::move(cells)});
}

void Report::note(std::string sentence) { m_tables.back().notes.push_back(std::move(sentence)); }

void Report::print(const Table& table) const {
  size_t nameWidth = table.title.size();
  for (const Row& row : table.rows) nameWidth = std::max(nameWidth, row.name.size());
  fmt::print("\n{:<{}}", table.title, nameWidth);
  for (const std::string& column : table.columns)
    fmt::print("  {:>{}}", column, std::max<size_t>(column.size(), 9));
  fmt::print("   [{}]\n", table.unit);
  for (const Row& row : table.rows) {
    fmt::print("{:<{}}", row.name, nameWidth);
    for (size_t i = 0; i < table.columns.size(); ++i)
      fmt::print("  {:>{}}", shown(row.cells[i], isRatio(table.columns[i]) ? 2 : table.digits),
                 std::max<size_t>(table.columns[i].size(), 9));
    fmt::print("\n");
  }
  for (const std::string& note : table.notes) fmt::print("  {}\n", note);
}

void Report::writeJson(const std::string& file) const {
  nlohmann::ordered_json root;
  root["benchmark"] = m_benchmark;
  root["device"] = m_device;
  root["repeats"] = m_repeats;
  for (const Table& table : m_tables) {
    nlohmann::ordered_json tableJson{{"title", table.title}, {"unit", table.unit}};
    for (const Row& row : table.rows) {
      nlohmann::ordered_json rowJson{{"name", row.name}};
      for (size_t i = 0; i < table.columns.size(); ++i) {
        const auto& summary = row.cells[i].summary();
        if (!summary)
          rowJson[table.columns[i]] = nullptr;
        else if (isRatio(table.columns[i]))
          rowJson[table.columns[i]] = summary->median;
        else
          rowJson[table.columns[i]] = {
              {"median", summary->median}, {"low", summary->low}, {"high", summary->high}};
      }
      tableJson["rows"].push_back(std::move(rowJson));
    }
    tableJson["notes"] = table.notes;
    root["tables"].push_back(std::move(tableJson));
  }
  std::ofstream stream(file);
  stream << root.dump(2) << '\n';
  if (!stream) fail(fmt::format("cannot write '{}'.", file));
}

void Report::finish(const Options& options) const {
  fmt::print("{} on {}, medians of {}\n", m_benchmark, m_device, m_repeats);
  for (const Table& table : m_tables)
    if (!table.rows.empty()) print(table);
  if (!options.jsonFile.empty()) writeJson(options.jsonFile);
}

} // namespace basanite::benchmarks
