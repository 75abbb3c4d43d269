// Locates the fields of a record, for dialects that assemble records from several parts or read them by a path. Each
// dialect derives its own class and sees only that one.
#ifndef LOGQUERY_LIB_EMIT_RECORD_TEXT_H_
#define LOGQUERY_LIB_EMIT_RECORD_TEXT_H_

namespace logquery::emit {

// Attached to the Text of a record, beside its SQL (lib/emit/dialect.h).
struct RecordText {
  virtual ~RecordText() = default;
};

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_RECORD_TEXT_H_
