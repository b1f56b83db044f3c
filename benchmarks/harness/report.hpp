// SPDX-License-Identifier: Apache-2.0
// What a benchmark found, as a table on standard output and as a JSON file.
#pragma once

#include "benchmarks/harness/options.hpp"
#include "benchmarks/harness/samples.hpp"

#include <optional>
#include <string>
#include <vector>

namespace basanite::benchmarks {

// An empty cell, a measured value, or a plain number (a ratio) whose quartiles are itself.
class Cell {
 public:
  Cell() = default;
  Cell(const Summary& summary) : m_summary(summary) {}
  Cell(double number) : m_summary(Summary{number, number, number}) {}
  const std::optional<Summary>& summary() const { return m_summary; }

 private:
  std::optional<Summary> m_summary;
};

class Report {
 public:
  Report(std::string benchmark, std::string device, unsigned repeats);

  // Starts a table. `unit` says what its numbers are; `digits` are those behind the point.
  void table(std::string title, std::string unit, std::vector<std::string> columns, int digits = 1);
  // A row of the last table, one cell a column.
  void row(std::string name, std::vector<Cell> cells);
  // A sentence below the last table.
  void note(std::string sentence);

  // Prints everything; writes the file where the options name one.
  void finish(const Options& options) const;

 private:
  struct Row {
    std::string name;
    std::vector<Cell> cells;
  };
  struct Table {
    std::string title, unit;
    std::vector<std::string> columns;
    int digits = 1;
    std::vector<Row> rows;
    std::vector<std::string> notes;
  };
  void print(const Table& table) const;
  void writeJson(const std::string& file) const;

  std::string m_benchmark, m_device;
  unsigned m_repeats;
  std::vector<Table> m_tables;
};

} // namespace basanite::benchmarks
