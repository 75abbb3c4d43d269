// Objects that the store adds to each database that its engine opens: the table function for loads, and a cache of the
// tables' marks.
#ifndef LOGQUERY_LIB_STORE_STORE_COMPANION_H_
#define LOGQUERY_LIB_STORE_STORE_COMPANION_H_

#include <memory>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/engine.h"
#include "lib/store/load/load_function.h"
#include "lib/store/tables/table_marks.h"

namespace logquery::store {

class StoreCompanion : public duckdb::Engine::Companion {
 public:
  static std::unique_ptr<duckdb::Engine::Companion> Make() { return std::make_unique<StoreCompanion>(); }
  // Returns the companion of `state`, whose engine was opened with Make.
  static StoreCompanion& Of(duckdb::Engine::State& state) { return static_cast<StoreCompanion&>(*state.companion); }

  absl::Status Register(duckdb_connection connection) override { return load_function.Register(connection); }

  LoadFunction load_function;
  TableMarksCache marks;  // for this opening, because each opening counts its states anew
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_STORE_COMPANION_H_
