// The name of the slot that limits a query to one project's rows.
#ifndef LOGQUERY_LIB_MODEL_SCOPE_SLOT_H_
#define LOGQUERY_LIB_MODEL_SCOPE_SLOT_H_

namespace logquery::model {

// A query with this slot compares the project of every row that it reads with the slot's value. Parameters of
// definitions can't have this name.
inline constexpr char kProjectScopeSlot[] = "@project_scope";

}  // namespace logquery::model

#endif  // LOGQUERY_LIB_MODEL_SCOPE_SLOT_H_
