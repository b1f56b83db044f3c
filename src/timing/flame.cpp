// SPDX-License-Identifier: Apache-2.0
// Adds groups and passes up along their paths.
#include "src/timing/flame.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace basanite::timing {
namespace {

class Tree {
 public:
  Tree() { m_nodes.push_back({"all passes", -1, -1, 0, 0}); }

  // The child of that name, made when it is new.
  size_t child(size_t parent, std::string_view name, int64_t pass) {
    const auto [place, isNew] = m_children.try_emplace({parent, pass, name}, m_nodes.size());
    if (isNew) m_nodes.push_back({printable(name), static_cast<int64_t>(parent), pass, 0, 0});
    return place->second;
  }
  void add(size_t node, double ns) {
    m_nodes[node].totalNs += ns;
    ++m_nodes[node].count;
  }
  size_t parentOf(size_t node) const { return static_cast<size_t>(m_nodes[node].parent); }

  std::vector<FlameNode> finish() const {
    std::vector<std::vector<size_t>> children(m_nodes.size());
    for (size_t i = 1; i < m_nodes.size(); ++i)
      if (m_nodes[i].totalNs >= kLeastFlameShare * m_nodes[0].totalNs) children[parentOf(i)].push_back(i);
    std::vector<FlameNode> result = {m_nodes[0]};
    std::vector<std::pair<size_t, size_t>> level = {{0, 0}}; // in m_nodes, in result
    for (size_t depth = 1; depth < kDeepestFlame && !level.empty(); ++depth) {
      std::vector<std::pair<size_t, size_t>> next;
      for (const auto& [node, place] : level) {
        std::stable_sort(children[node].begin(), children[node].end(),
                         [&](size_t a, size_t b) { return m_nodes[a].totalNs > m_nodes[b].totalNs; });
        for (size_t child : children[node]) {
          next.emplace_back(child, result.size());
          result.push_back(m_nodes[child]);
          result.back().parent = static_cast<int64_t>(place);
        }
      }
      level = std::move(next);
    }
    return result;
  }

 private:
  std::vector<FlameNode> m_nodes;
  std::map<std::tuple<size_t, int64_t, std::string_view>, size_t> m_children; // names live in the recording
};

// Groups from the outside in.
std::vector<const RecordedGroup*> byDepth(const std::vector<RecordedGroup>& groups) {
  std::vector<const RecordedGroup*> sorted;
  for (const RecordedGroup& group : groups) sorted.push_back(&group);
  std::stable_sort(sorted.begin(), sorted.end(), [](const RecordedGroup* a, const RecordedGroup* b) {
    return std::tuple(a->depth, a->first) < std::tuple(b->depth, b->first);
  });
  return sorted;
}

bool holds(const RecordedGroup& group, uint64_t index) {
  return index >= group.first && index < uint64_t{group.first} + group.count;
}
bool holds(const RecordedGroup& outer, const RecordedGroup& inner) {
  return outer.depth < inner.depth && inner.first >= outer.first &&
         uint64_t{inner.first} + inner.count <= uint64_t{outer.first} + outer.count;
}

} // namespace

std::vector<FlameNode> flameOf(const Recording& recording, const PassTable& passes) {
  Tree tree;
  for (const RecordedCommit& commit : recording.commits) {
    const std::vector<const RecordedGroup*> around = byDepth(commit.groups);
    for (size_t i = 0; i < commit.encoders.size(); ++i) {
      const RecordedEncoder& encoder = commit.encoders[i];
      const auto ns = static_cast<double>(encoder.gpu().lengthNs());
      if (ns <= 0) continue;
      const auto pass = static_cast<int64_t>(passes.indexOf(recording, encoder));
      tree.add(0, ns);
      size_t node = 0;
      for (const RecordedGroup* group : around) {
        if (!holds(*group, i)) continue;
        node = tree.child(node, recording.text(group->label), -1);
        tree.add(node, ns);
      }
      node = tree.child(node, recording.nameOf(encoder), pass);
      tree.add(node, ns);

      std::vector<std::pair<const RecordedGroup*, size_t>>
          open; // groups around the next one, with their nodes
      std::vector<const RecordedGroup*> inside = byDepth(encoder.groups);
      std::stable_sort(inside.begin(), inside.end(), [](const RecordedGroup* a, const RecordedGroup* b) {
        return std::tuple(a->first, a->depth) < std::tuple(b->first, b->depth);
      });
      for (const RecordedGroup* group : inside) {
        while (!open.empty() && !holds(*open.back().first, *group)) open.pop_back();
        const size_t parent = open.empty() ? node : open.back().second;
        const size_t child = tree.child(parent, recording.text(group->label), pass);
        tree.add(child, static_cast<double>(group->gpu.lengthNs()));
        open.emplace_back(group, child);
      }
    }
  }
  return tree.finish();
}

} // namespace basanite::timing
