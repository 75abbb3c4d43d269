// The transport that the generated header's comment shows, for cpp-httplib.
#ifndef LOGQUERY_TESTS_CODEGEN_HTTP_TRANSPORT_H_
#define LOGQUERY_TESTS_CODEGEN_HTTP_TRANSPORT_H_

#include "codegen/logquery_client.h"

namespace logquery::codegen_tests {

logquery_client::Transport HttpTransport(int port);

}  // namespace logquery::codegen_tests

#endif  // LOGQUERY_TESTS_CODEGEN_HTTP_TRANSPORT_H_
