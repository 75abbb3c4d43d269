// The prepared queries for a plan with groups by stretches of time: for the groups, and for the rest over them.
#ifndef LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_PLAN_H_
#define LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_PLAN_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/endpoint/kept/kept_plan.h"
#include "lib/rewrite/passes/group_parts.h"
#include "logquery/prepared_query.h"
#include "logquery/type.h"

namespace logquery::endpoint {

struct GroupQueries {
  std::shared_ptr<const PreparedQuery> touched;  // the groups of new rows, from these alone: rewrite::OnlyPlaces
  std::shared_ptr<const PreparedQuery> stretch;  // the groups of a stretch: rewrite::OnlyStretch
  std::shared_ptr<const PreparedQuery> rest;     // the whole query's rows, from rewrite::kGroupsParameter
  std::shared_ptr<const PreparedQuery> tail;     // the same from these groups and those of a stretch
  KeptPlan kept;                                 // of the groups, in the slots of `stretch`
};

// Thread-safe.
class GroupPlan {
 public:
  // Returns nullptr if the plan has no such groups. `plan` must have been through all passes; `place`: the dialect's name
  // of a row's place.
  static std::shared_ptr<const GroupPlan> Find(const rewrite::QueryPlan& plan, const std::string& endpoint_id,
                                               Dialect dialect, const std::string& place);

  const Type& type() const { return parts_.type; }
  size_t bucket() const { return parts_.bucket; }
  // One for each column of the groups; empty: some can't be merged.
  const std::vector<rewrite::Merging>& merging() const { return parts_.merging; }
  // Writes the queries when they are first needed. Statuses: those of the emitter; FailedPrecondition: the groups can't
  // be kept.
  absl::StatusOr<const GroupQueries*> Queries() const;

 private:
  GroupPlan(rewrite::GroupParts parts, std::string endpoint_id, Dialect dialect, std::string place);
  absl::Status Write() const;
  absl::StatusOr<std::shared_ptr<const PreparedQuery>> Prepare(const rewrite::QueryPlan& plan) const;

  const rewrite::GroupParts parts_;
  const std::string endpoint_id_;
  const Dialect dialect_;
  const std::string place_;
  mutable absl::once_flag once_;
  mutable absl::Status written_;
  mutable GroupQueries queries_;
};

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_KEPT_GROUP_PLAN_H_
