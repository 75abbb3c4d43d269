// Receives the steps of one call while it runs, for a distributed trace with a span for each step.
//
//     class Spans : public logquery::CallTrace { … };
//     request.trace = std::make_shared<Spans>();                    // QueryRequest
//
// ServiceObserver reports a call after it has ended, with the time that each step took in total. A CallTrace is told when
// a step begins and when it ends. Steps can overlap, because rows are encoded while the engine still runs, and a call can
// plan and execute twice, if the tables changed in between. A step can end after the call was answered: a client that
// leaves does not end a query that other callers wait for.
//
// The methods are called from the threads that run the call, and must be quick and thread-safe.
#ifndef LOGQUERY_CALL_TRACE_H_
#define LOGQUERY_CALL_TRACE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace logquery {

enum class CallStep {
  kQueue,     // the wait for a thread; only the caller of QueryService knows it, so the service never begins it
  kWait,      // the wait for an equal call that came first, whose answer this call gets too
  kPlan,      // from the parameters and the SQL to a prepared query
  kExecute,   // the engine, from the start of the query to its last row
  kEncode,    // redacting and encoding rows, from the first row to the finished body
  kCompress,  // of the body
};

struct CallStepEnd {
  absl::StatusCode code = absl::StatusCode::kOk;
  int64_t rows = -1;                           // kExecute: the rows that the engine returned; -1: not known
  absl::Duration busy = absl::ZeroDuration();  // kEncode: the time spent on rows, without the waits for the next ones
  std::string_view awaited =
      {};  // kWait: QueryRequest::traceparent of the call that computed the answer; empty: not traced
};

class CallTrace {
 public:
  virtual ~CallTrace() = default;
  // A step begins now. Returns the number that identifies it in the other methods.
  virtual int Begin(CallStep step) noexcept = 0;
  // The step ends now. Called exactly once for each step.
  virtual void End(int step, const CallStepEnd& end) noexcept = 0;
  // Returns the W3C header `traceparent` for requests that the step sends.
  virtual std::string Traceparent(int step) const = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_CALL_TRACE_H_
