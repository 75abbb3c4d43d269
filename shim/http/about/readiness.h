// Answers /ready: for everybody whether the server can answer calls, and for administrators the state of its parts, with reasons.
#ifndef LOGQUERY_SHIM_HTTP_ABOUT_READINESS_H_
#define LOGQUERY_SHIM_HTTP_ABOUT_READINESS_H_

#include "logquery/http_server.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

HttpResponse AnswerReady(const HttpServerOptions& options, bool draining);
HttpResponse AnswerReadyInDetail(const HttpServerOptions& options, bool draining);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ABOUT_READINESS_H_
