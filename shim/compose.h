// Puts a service together: the one place of the shim that knows which engine is behind it.
//
//     absl::StatusOr<Composition> parts = Compose({.data = "data"});
//     parts->service->Run(…);
#ifndef LOGQUERY_SHIM_COMPOSE_H_
#define LOGQUERY_SHIM_COMPOSE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/authenticator.h"
#include "logquery/clock.h"
#include "logquery/query_backend.h"
#include "logquery/query_service.h"
#include "shim/commands.h"

namespace logquery::shim {

// In the order in which each borrows from those before it.
struct Composition {
  std::unique_ptr<Clock> fixed_clock;  // nullptr: the machine's
  const Clock* clock = nullptr;
  std::unique_ptr<QueryBackend> backend;
  std::unique_ptr<Authenticator> authenticator;
  std::unique_ptr<QueryService> service;
};

// Opens the folder for reading alone, so that several may do so at one time. `tokens` empty: no authenticator.
// InvalidArgument: a definition, or a time. Otherwise what OpenDuckDb, TokenFile::Open and QueryService::Create return.
absl::StatusOr<Composition> Compose(const ServiceArguments& arguments, const std::string& tokens);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMPOSE_H_
