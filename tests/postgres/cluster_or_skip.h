// A PostgreSQL of a test's own; the test is skipped on a machine without the programs of a server.
#ifndef LOGQUERY_TESTS_POSTGRES_CLUSTER_OR_SKIP_H_
#define LOGQUERY_TESTS_POSTGRES_CLUSTER_OR_SKIP_H_

#include <catch2/catch_test_macros.hpp>

#include "tests/postgres/cluster.h"

namespace logquery::testing {

struct SkipWithoutPostgres {
  SkipWithoutPostgres() {
    if (!Cluster::IsPossible()) SKIP("there is no PostgreSQL server on this machine");
  }
};

// The first base class is constructed first, so a missing server is noticed before it is started.
class ClusterOrSkip : SkipWithoutPostgres, public Cluster {};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_POSTGRES_CLUSTER_OR_SKIP_H_
