// Where the fields of a record are, for a dialect whose records are put together from several parts or read by a path: each
// dialect has a class of its own, and meets no other's.
#ifndef LOGQUERY_LIB_EMIT_RECORD_TEXT_H_
#define LOGQUERY_LIB_EMIT_RECORD_TEXT_H_

namespace logquery::emit {

// What a Text of a record carries beside its SQL (lib/emit/dialect.h).
struct RecordText {
  virtual ~RecordText() = default;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_RECORD_TEXT_H_
