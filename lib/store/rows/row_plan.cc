// Builds the tree of a table's fields, and numbers the slots of their values.
#include "lib/store/rows/row_plan.h"

#include <algorithm>
#include <utility>

namespace logquery::store {
namespace {

bool IsLearned(const StoredColumn& column) {
  return column.role == StoredColumn::Role::kLearnedValue || column.role == StoredColumn::Role::kLearnedPresence;
}

// Returns whether the column is for rows of some project. Other columns are only in the table for the values that they
// already have.
bool IsPlaced(const StoredColumn& column) {
  return IsLearned(column) && (column.is_everyones || !column.owners.empty());
}

FieldNode MakeNode(std::string name, const Type& type) {
  FieldNode node;
  node.name = std::move(name);
  node.type = type;
  if (type.is_record() || type.is_struct()) {
    node.kind = type.is_record() ? FieldNode::Kind::kRecord : FieldNode::Kind::kStruct;
    for (const Field& field : type.fields()) node.fields.push_back(MakeNode(field.name, field.type));
    node.stored_fields = node.fields.size();
  } else if (type.is_array()) {
    node.kind = FieldNode::Kind::kList;
    node.fields.push_back(MakeNode("[]", type.element()));
  }
  return node;
}

// Once nodes lie where they stay.
void Link(FieldNode& node, const FieldNode* parent) {
  node.parent = parent;
  for (size_t i = 0; i < node.fields.size(); ++i) {
    node.by_name.emplace(node.fields[i].name, static_cast<int>(i));
    const auto [first, is_new] = node.by_any_case.emplace(node.fields[i].name, static_cast<int>(i));
    if (!is_new) {
      int last = first->second;
      while (node.fields[last].next >= 0) last = node.fields[last].next;
      node.fields[last].next = static_cast<int>(i);
    }
    Link(node.fields[i], &node);
  }
}

}  // namespace

int FieldNode::Find(std::string_view key, int project) const {
  if (const auto exact = by_name.find(key); exact != by_name.end() && fields[exact->second].IsOf(project)) {
    return exact->second;
  }
  const auto found = by_any_case.find(key);
  int field = found == by_any_case.end() ? -1 : found->second;
  while (field >= 0 && !fields[field].IsOf(project)) field = fields[field].next;
  return field;
}

std::string FieldNode::Path() const {
  if (parent == nullptr || parent->parent == nullptr) return name;
  return base::StrCat(parent->Path(), name == "[]" ? "" : ".", name);
}

RowPlan::RowPlan(const TableLayout& layout) : layout_(layout) {
  root_.kind = FieldNode::Kind::kStruct;
  for (const StoredColumn& column : layout_.columns) {
    if (column.role == StoredColumn::Role::kDeclared) {
      root_.fields.push_back(MakeNode(column.name, column.type));
    } else if (!IsPlaced(column)) {
      derived_.push_back(MakeNode(column.name, column.type));
    }
  }
  for (size_t i = 0; i < layout_.columns.size(); ++i) {
    if (IsPlaced(layout_.columns[i])) AddLearned(layout_.columns[i], i);
  }
  Link(root_, nullptr);
  NumberKeys(root_);
  for (FieldNode& field : root_.fields) Number(field);
  for (FieldNode& field : derived_) Number(field);
  size_t declared = 0;
  size_t derived = 0;
  for (const StoredColumn& column : layout_.columns) {
    if (IsPlaced(column)) {
      columns_.push_back(nullptr);
      continue;
    }
    const bool is_declared = column.role == StoredColumn::Role::kDeclared;
    columns_.push_back(is_declared ? &root_.fields[declared++] : &derived_[derived++]);
    if (!is_declared && !IsLearned(column)) AddHot(column, columns_.back()->slot);
  }
  PlaceLearned(root_);
  id_ = TextColumn(layout_.id_column);
  event_message_ = TextColumn(layout_.message_column);
  if (!layout_.table.project_path.empty()) project_ = &NodeAt(layout_.table.project_path);
  const int time = layout_.table.time_column.empty() ? -1 : root_.Find(layout_.table.time_column);
  if (time >= 0) time_ = &root_.fields[time];
}

// Records come before what is in them. Where projects spell a record differently, each has its own.
void RowPlan::AddLearned(const StoredColumn& column, size_t index) {
  FieldNode* parent = &root_;
  for (size_t i = 0; i + 1 < column.path.size(); ++i) {
    FieldNode* best = nullptr;
    for (FieldNode& field : parent->fields) {
      const bool is_it = field.kind == FieldNode::Kind::kRecord && base::EqualsIgnoreCase(field.name, column.path[i]);
      if (is_it && (best == nullptr || field.name == column.path[i])) best = &field;
    }
    parent = best;
  }
  FieldNode node = MakeNode(column.path.back(), column.is_presence() ? Type::Record({}) : column.type);
  node.learned = true;
  node.casts = column.casts;
  node.is_everyones = column.is_everyones;
  node.owners = column.owners;
  node.column = static_cast<int>(index);
  parent->fields.push_back(std::move(node));
}

void RowPlan::PlaceLearned(FieldNode& node) {
  if (node.column >= 0) {
    if (layout_.columns[static_cast<size_t>(node.column)].is_presence()) node.presence_slot = node.slot;
    columns_[static_cast<size_t>(node.column)] = &node;
  }
  for (FieldNode& field : node.fields) PlaceLearned(field);
}

int RowPlan::ProjectNumber(std::string_view project) const {
  const auto found = layout_.projects.find(project);
  return found == layout_.projects.end() ? kNoProject : static_cast<int>(found->second);
}

FieldNode& RowPlan::NodeAt(const model::FieldPath& path) {
  FieldNode* node = &root_;
  for (const std::string& name : path) node = &node->fields[node->Find(name)];
  return *node;
}

void RowPlan::Number(FieldNode& node) {
  node.slot = slot_count_++;
  if (node.kind == FieldNode::Kind::kList) lists_.push_back(&node);
  NumberKeys(node);
  for (FieldNode& field : node.fields) Number(field);
}

void RowPlan::NumberKeys(FieldNode& node) {
  node.first_key = key_count_ + 1;
  key_count_ += static_cast<int>(node.fields.size()) + 1;
}

void RowPlan::AddHot(const StoredColumn& column, int slot) {
  if (column.role == StoredColumn::Role::kUndeclared) {
    undeclared_slot_ = slot;
    return;
  }
  if (column.is_packed()) return;  // RecordPackers fills it
  FieldNode& node = NodeAt(column.path);
  (column.role == StoredColumn::Role::kPresence ? node.presence_slot : node.hot_slot) = slot;
}

const FieldNode* RowPlan::TextColumn(std::string_view name) const {
  const int found = root_.Find(name);
  return found >= 0 && root_.fields[found].type.is(TypeKind::kString) ? &root_.fields[found] : nullptr;
}

}  // namespace logquery::store
