// Uses libcurl with one multi handle per running request: the cancelling thread can wake its poll, and it keeps the
// connection for the next request.
#include "lib/backend/http/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"

namespace logquery::http {
namespace {

using base::StrCat;

// The interval at which a request that waits for its turn checks whether its call is to end.
constexpr absl::Duration kLook = absl::Milliseconds(10);
constexpr size_t kMaxHeadBytes = 64 << 10;

absl::Status Stopped() { return absl::CancelledError("the query wants no more rows"); }

void InitOnce() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)done;
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, FreeList>;

List HeaderList(const Request& request) {
  List list;
  const auto add = [&](const std::string& line) {
    curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) return;
    (void)list.release();
    list.reset(longer);
  };
  bool has_type = false;
  for (const auto& [name, value] : request.headers) {
    add(value.empty() ? StrCat(name, ";") : StrCat(name, ": ", value));
    has_type = has_type || base::EqualsIgnoreCase(name, "Content-Type");
  }
  // Bodies go at once: a server that never says 100 would cost a second.
  add("Expect:");
  if (!has_type) add("Content-Type: text/plain; charset=UTF-8");
  return list;
}

absl::Status StatusOf(CURLcode code, const char* words) {
  const std::string text = words[0] != '\0' ? words : curl_easy_strerror(code);
  switch (code) {
    case CURLE_OK:
      return absl::OkStatus();
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_URL_MALFORMAT:
      return absl::FailedPreconditionError(text);
    default:
      return absl::UnavailableError(text);
  }
}

bool IsBeforeSending(CURLcode code) {
  return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
         code == CURLE_SSL_CONNECT_ERROR || absl::IsFailedPrecondition(StatusOf(code, ""));
}

}  // namespace

class Client::Channel {
 public:
  Channel() : multi_(curl_multi_init()), easy_(curl_easy_init()) {}
  ~Channel() {
    if (easy_ != nullptr) curl_easy_cleanup(easy_);
    if (multi_ != nullptr) curl_multi_cleanup(multi_);
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  Outcome Send(const ClientOptions& options, const Request& request, const CancellationToken& cancellation,
               const TakePiece& take) {
    if (multi_ == nullptr || easy_ == nullptr)
      return {absl::ResourceExhaustedError("no memory for a connection"), {}, false, false};
    take_ = &take;
    outcome_ = Outcome();
    taken_ = absl::OkStatus();
    head_bytes_ = 0;
    words_[0] = '\0';
    const List headers = HeaderList(request);
    SetUp(options, request, headers.get());
    curl_multi_add_handle(multi_, easy_);
    {
      const CancellationToken::Registration wake = cancellation.OnCancel([this] { curl_multi_wakeup(multi_); });
      outcome_.status = Run(request, cancellation);
    }
    // This closes the connection of a request that has not ended.
    curl_multi_remove_handle(multi_, easy_);
    curl_easy_reset(easy_);
    return std::move(outcome_);
  }

 private:
  template <typename T>
  void Set(CURLoption option, T value) {
    curl_easy_setopt(easy_, option, value);
  }

  void SetUp(const ClientOptions& options, const Request& request, curl_slist* headers) {
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_PROTOCOLS_STR, "http,https");
    Set(CURLOPT_URL, request.url.c_str());
    Set(CURLOPT_PROXY, options.proxy.c_str());
    Set(CURLOPT_HTTPHEADER, headers);
    Set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));
    Set(CURLOPT_USERAGENT, "logquery");
    Set(CURLOPT_TCP_KEEPALIVE, 1L);
    Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(absl::ToInt64Milliseconds(options.connect_timeout)));
    Set(CURLOPT_ERRORBUFFER, words_);
    Set(CURLOPT_FRESH_CONNECT, request.fresh_connection ? 1L : 0L);
    if (options.compression) Set(CURLOPT_ACCEPT_ENCODING, "");
    if (request.method == "POST") {
      Set(CURLOPT_POST, 1L);
      Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
      Set(CURLOPT_POSTFIELDS, request.body.data());
    } else {
      Set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
    if (!options.ca_file.empty()) Set(CURLOPT_CAINFO, options.ca_file.c_str());
    if (!options.certificate_file.empty()) Set(CURLOPT_SSLCERT, options.certificate_file.c_str());
    if (!options.key_file.empty()) Set(CURLOPT_SSLKEY, options.key_file.c_str());
    Set(CURLOPT_HEADERFUNCTION, &Channel::OnHeader);
    Set(CURLOPT_HEADERDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &Channel::OnBody);
    Set(CURLOPT_WRITEDATA, this);
  }

  absl::Status Run(const Request& request, const CancellationToken& cancellation) {
    last_byte_ = absl::Now();
    const absl::Time deadline = last_byte_ + request.time_limit;
    while (true) {
      if (cancellation.IsCancelled()) return outcome_.was_sent = IsConnected(), Stopped();
      int running = 0;
      if (const CURLMcode code = curl_multi_perform(multi_, &running); code != CURLM_OK) {
        return absl::UnavailableError(curl_multi_strerror(code));
      }
      if (!taken_.ok()) return outcome_.was_sent = true, taken_;
      int left = 0;
      if (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
        NoteStatus();
        outcome_.was_sent = !IsBeforeSending(message->data.result) && !IsConnectTimeout(message->data.result);
        return StatusOf(message->data.result, words_);
      }
      const absl::Time now = absl::Now();
      const absl::Duration wait = std::min(last_byte_ + request.patience, deadline) - now;
      if (wait <= absl::ZeroDuration()) {
        outcome_.was_sent = IsConnected();
        outcome_.was_silent = now >= last_byte_ + request.patience;
        return absl::UnavailableError(
            StrCat(outcome_.was_silent ? "no answer within " : "no whole answer within ",
                   absl::FormatDuration(outcome_.was_silent ? request.patience : request.time_limit)));
      }
      const int64_t ms = std::clamp<int64_t>(absl::ToInt64Milliseconds(wait) + 1, 1, 60'000);
      curl_multi_poll(multi_, nullptr, 0, static_cast<int>(ms), nullptr);
    }
  }

  // Returns whether the connection is established. Before that, nothing of the request has been sent.
  bool IsConnected() const {
    curl_off_t connected = 0;
    curl_easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &connected);
    return connected > 0;
  }
  bool IsConnectTimeout(CURLcode code) const { return code == CURLE_OPERATION_TIMEDOUT && !IsConnected(); }

  void NoteStatus() {
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    outcome_.head.status = static_cast<int>(status);
  }

  static size_t OnHeader(char* data, size_t size, size_t count, void* self) {
    auto& channel = *static_cast<Channel*>(self);
    const std::string_view line(data, size * count);
    channel.last_byte_ = absl::Now();
    channel.head_bytes_ += line.size();
    if (channel.head_bytes_ > kMaxHeadBytes) {
      channel.taken_ = absl::UnavailableError("the server's headers have no end");
      return 0;
    }
    Head& head = channel.outcome_.head;
    // An answer may come after one of 100, or after a proxy's.
    if (line.starts_with("HTTP/")) head = Head();
    if (const size_t colon = line.find(':'); colon != std::string_view::npos) {
      std::string name(line.substr(0, colon));
      absl::AsciiStrToLower(&name);
      head.headers[name] = std::string(base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(line.substr(colon + 1)))));
    }
    return line.size();
  }

  static size_t OnBody(char* data, size_t size, size_t count, void* self) {
    auto& channel = *static_cast<Channel*>(self);
    channel.last_byte_ = absl::Now();
    if (channel.outcome_.head.status == 0) channel.NoteStatus();
    channel.taken_ = (*channel.take_)(channel.outcome_.head, {data, size * count});
    // The time that the callback took is not silence of the server.
    channel.last_byte_ = absl::Now();
    return channel.taken_.ok() ? size * count : 0;
  }

  CURLM* const multi_;
  CURL* const easy_;
  const TakePiece* take_ = nullptr;
  Outcome outcome_;
  absl::Status taken_;
  absl::Time last_byte_;
  size_t head_bytes_ = 0;
  char words_[CURL_ERROR_SIZE] = "";
};

Client::Client(ClientOptions options) : options_(std::move(options)) { InitOnce(); }
Client::~Client() = default;

absl::Status Client::AwaitTurn(const CancellationToken& cancellation) {
  const absl::Time deadline = absl::Now() + options_.connect_timeout;
  absl::MutexLock lock(&mutex_);
  while (!mutex_.AwaitWithTimeout(absl::Condition(this, &Client::HasRoom), kLook)) {
    if (cancellation.IsCancelled()) return Stopped();
    if (absl::Now() >= deadline) {
      return absl::AbortedError(StrCat(options_.max_connections == 1
                                           ? std::string("the only connection is")
                                           : StrCat("all ", options_.max_connections, " connections are"),
                                       " in use; try again"));
    }
  }
  ++in_use_;
  return absl::OkStatus();
}

Outcome Client::Send(const Request& request, const CancellationToken& cancellation, const TakePiece& take) {
  if (absl::Status status = AwaitTurn(cancellation); !status.ok()) return {status, {}, false, false};
  std::unique_ptr<Channel> channel;
  {
    absl::MutexLock lock(&mutex_);
    if (!idle_.empty()) {
      channel = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (channel == nullptr) channel = std::make_unique<Channel>();
  Outcome outcome = channel->Send(options_, request, cancellation, take);
  absl::MutexLock lock(&mutex_);
  --in_use_;
  idle_.push_back(std::move(channel));
  return outcome;
}

std::string UrlEncoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const unsigned char c : text) {
    if (absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.' || c == '~') {
      out += static_cast<char>(c);
    } else {
      out += '%';
      out += kHex[c >> 4];
      out += kHex[c & 15];
    }
  }
  return out;
}

}  // namespace logquery::http
