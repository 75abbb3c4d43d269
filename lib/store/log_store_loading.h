// The shared state of the inputs of one store call, files as well as rows from memory.
#ifndef LOGQUERY_LIB_STORE_LOG_STORE_LOADING_H_
#define LOGQUERY_LIB_STORE_LOG_STORE_LOADING_H_

#include "absl/base/thread_annotations.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/store_companion.h"

namespace logquery::store {

struct LogStoreImpl::Loading {
  // Takes options from a LoadRequest or an AppendRequest.
  template <typename Request>
  Loading(LogStoreImpl& store, duckdb::Engine::State& state, duckdb_connection connection, const TableLayout& layout,
          const Request& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(store.load_mutex_)
      : learner(connection, store.tables_, &layout, &store.learned_[layout.table.name]),
        version(&state.database.version()),
        marks(&StoreCompanion::Of(state).marks) {
    shared.connection = connection;
    shared.function = &StoreCompanion::Of(state).load_function;
    shared.folder = store.folder_;
    shared.loaded = &store.loaded_;
    shared.timestamp_unit = request.timestamp_unit;
    shared.dedupe_by_id = request.dedupe_by_id;
    if constexpr (requires { request.again; }) shared.again = request.again;
    shared.cancellation = request.cancellation;
    shared.misfits = &store.misfits_;
    shared.packed_records = store.packed_records_;
    shared.dictionary = &store.DictionaryOf(layout.table.name);
  }

  InputLoader::Shared shared;
  SchemaLearner learner;
  duckdb::DataVersion* const version;
  TableMarksCache* const marks;

  // `survey` is borrowed; nullptr: no survey.
  InputLoader::Shared Share(InputLoader::Survey* survey) {
    InputLoader::Shared now = shared;
    now.plan = &learner.plan();
    now.survey = survey;
    if (survey != nullptr) survey->full = &learner.full();
    return now;
  }
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOG_STORE_LOADING_H_
