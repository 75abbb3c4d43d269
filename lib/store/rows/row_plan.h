// The plan for parsing a row's JSON: a tree of the declared and the learned fields, with the slots of their values.
//
// A *slot* is the number of one vector in a chunk of rows, for a column or a part of one. Immutable after construction;
// shared by the parsing threads.
#ifndef LOGQUERY_LIB_STORE_ROWS_ROW_PLAN_H_
#define LOGQUERY_LIB_STORE_ROWS_ROW_PLAN_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/strings.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {

// The number of a project that owns no learned columns.
inline constexpr int kNoProject = -1;

struct FieldNode {
  enum class Kind { kScalar, kRecord, kStruct, kList };

  // Returns the field with this key, matched exactly or else case-insensitively, for rows of this project
  // (RowPlan::ProjectNumber); -1 if there is none.
  int Find(std::string_view key, int project = kNoProject) const;
  // "metadata.request.path".
  std::string Path() const;

  Kind kind = Kind::kScalar;
  std::string name;
  Type type;
  const FieldNode* parent = nullptr;  // nullptr for the row itself; the row for columns
  int slot = -1;                      // the row itself has none
  int hot_slot = -1;                  // the value's second slot
  int presence_slot = -1;             // of a record
  int first_key = 0;         // the number of its first field among all keys; the number before it means "no key yet"
  bool learned = false;      // has a column of its own, outside of its parent's vector
  bool casts = false;        // of a learned field: takes every value that casts to its type
  bool is_everyones = true;  // stands for rows of any project
  std::vector<bool> owners;  // otherwise: for which it stands, by number
  int column = -1;           // of a learned field: its index among the stored columns
  int next = -1;             // the next field of this name, in any case, which stands for other projects
  size_t stored_fields = 0;  // of a record or struct: the number of leading fields in its vector
  std::vector<FieldNode> fields;  // of a record or struct; for a list, its single element
  base::StringMap<int> by_name;
  base::NameMap<int> by_any_case;

  bool IsOf(int project) const {
    return is_everyones || (project >= 0 && static_cast<size_t>(project) < owners.size() && owners[project]);
  }
};

class RowPlan {
 public:
  explicit RowPlan(const TableLayout& layout);
  RowPlan(const RowPlan&) = delete;
  RowPlan& operator=(const RowPlan&) = delete;

  const TableLayout& layout() const { return layout_; }
  const FieldNode& root() const { return root_; }
  int slot_count() const { return slot_count_; }
  int key_count() const { return key_count_; }

  // Returns the structure of a stored column's vector: the field that it holds, or a plain node with only a slot.
  const std::vector<const FieldNode*>& columns() const { return columns_; }

  // All lists, at every depth.
  const std::vector<const FieldNode*>& lists() const { return lists_; }

  // Columns that are filled if a row has no value; nullptr if the table has no such column.
  const FieldNode* id() const { return id_; }
  const FieldNode* time() const { return time_; }
  const FieldNode* event_message() const { return event_message_; }
  // The field with the project that owns a row; nullptr if the table has none.
  const FieldNode* project() const { return project_; }
  int undeclared_slot() const { return undeclared_slot_; }
  // For FieldNode::Find; kNoProject: the project has taught nothing yet.
  int ProjectNumber(std::string_view project) const;

 private:
  void Number(FieldNode& node);
  void NumberKeys(FieldNode& node);
  void AddLearned(const StoredColumn& column, size_t index);
  void PlaceLearned(FieldNode& node);
  FieldNode& NodeAt(const model::FieldPath& path);
  void AddHot(const StoredColumn& column, int slot);
  const FieldNode* TextColumn(std::string_view name) const;

  const TableLayout layout_;
  FieldNode root_;
  std::vector<FieldNode> derived_;  // of the columns that are not declared
  std::vector<const FieldNode*> columns_;
  std::vector<const FieldNode*> lists_;
  int slot_count_ = 0;
  int key_count_ = 0;
  int undeclared_slot_ = -1;
  const FieldNode* id_ = nullptr;
  const FieldNode* time_ = nullptr;
  const FieldNode* event_message_ = nullptr;
  const FieldNode* project_ = nullptr;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_ROW_PLAN_H_
