// Receives the rows that are made of a request's events, and the events that can't become rows.
#ifndef LOGQUERY_LIB_STORE_INGEST_ROW_SINK_H_
#define LOGQUERY_LIB_STORE_INGEST_ROW_SINK_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace logquery::store {

class RowSink {
 public:
  virtual ~RowSink() = default;
  // Each returns false if the walk through the request must end.
  // Asks for memory for a text of at most so many bytes before it is made.
  virtual bool MakeRoom(size_t bytes) = 0;
  virtual bool Take(std::string row) = 0;
  // An event that is kept with its reason instead of being stored.
  virtual bool Refuse(std::string event, std::string reason) = 0;
  // Sets a warning for the sender, whose events are accepted nevertheless. The first one counts.
  virtual void Warn(std::string warning) = 0;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_ROW_SINK_H_
