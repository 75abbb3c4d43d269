// Redaction of text in which there is nothing to redact, which is most of all text: bytes a second of one thread, beside the
// floors that nothing can go below: memchr, which looks at each byte, and memcpy, which also writes it. Then text that is full of
// it, redacted.
//
//     logquery_bench_redactor [--megabytes N] [--repeat N]
//
// Texts are as logs have them: paths, times, JSON, versions. Each text has about 120 bytes; a line's figure is the best of
// all repeats, as anything slower was the machine.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "logquery/redactor.h"

namespace logquery {
namespace {

struct Options {
  size_t megabytes = 64;
  int repeat = 9;
};

constexpr const char* kTexts[] = {
    "GET /rest/v1/todos?select=id,title,done&order=created_at.desc&limit=50 200 for project with 3 retries left over",
    R"({"level":"info","time":"2026-03-04T05:06:07Z","msg":"request completed","duration":1234567,"status":"ok"})",
    "connection authorized: user=authenticator database=postgres application_name=PostgREST 12.2.3 SSL enabled "
    "(TLSv1.3)",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 by way of a proxy of version 3.11.2 at "
    "most",
    "checkpoint complete: wrote 125 buffers (0.8%); 0 WAL file(s) added; write=12.482 s, sync=0.003 s, total=12.497 s",
    "Listening on http://localhost:9999/ with the worker threads std::thread of the pool, shutdown at 12:30:45 or "
    "later",
};

constexpr const char* kHits[] = {
    "connection from 203.0.113.77:54321 to [2001:db8::8a2e:370:7334]:443 by way of 198.51.100.4, 10.0.0.17 refused",
    R"({"client":"2001:db8:85a3::8a2e:370:7334","x_forwarded_for":"203.0.113.9, 172.16.254.1","user":"ann@example.com"})",
    "GET /rest/v1/users?email=bob.jones%40mail.example.org&ip=192.0.2.146 200 for cus_9fK2mQ of ::ffff:192.0.2.128",
};

std::vector<std::string> MakeTexts(absl::Span<const char* const> of, size_t megabytes) {
  std::vector<std::string> texts;
  size_t bytes = 0;
  for (size_t i = 0; bytes < megabytes << 20; ++i) bytes += texts.emplace_back(of[i % of.size()]).size();
  return texts;
}

// The time of this thread on a processor: other work on the machine counts little.
double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Megabytes a second of the best run. `run` gives a number, so that nothing of it can be left out.
double Best(const std::vector<std::string>& texts, int repeat, const std::function<size_t(const std::string&)>& run) {
  size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  double best = 0;
  size_t sum = 0;
  for (int i = 0; i < repeat; ++i) {
    const double begin = ThreadSeconds();
    for (const std::string& text : texts) sum += run(text);
    best = std::max(best, static_cast<double>(bytes) / (ThreadSeconds() - begin) / 1e6);
  }
  if (sum == 1) std::puts("");
  return best;
}

Redactor Need(const RedactionKinds& kinds) {
  auto redactor = Redactor::Create(kinds);
  if (!redactor.ok()) std::exit(1);
  return *std::move(redactor);
}

int Run(const Options& options) {
  const std::vector<std::string> texts = MakeTexts(kTexts, options.megabytes);
  const std::vector<std::string> hits = MakeTexts(kHits, options.megabytes);
  std::vector<char> copy(4'096);
  const double memchr_floor = Best(texts, options.repeat, [](const std::string& text) {
    return static_cast<size_t>(std::memchr(text.data(), '\x01', text.size()) != nullptr);
  });
  const double memcpy_floor = Best(texts, options.repeat, [&](const std::string& text) {
    std::memcpy(copy.data(), text.data(), text.size());
    return static_cast<size_t>(copy[text.size() / 2]);
  });
  const auto line = [&](const char* name, double rate) {
    std::printf("%-34s %8.0f MB/s   memchr/this %5.1f   memcpy/this %5.1f\n", name, rate, memchr_floor / rate,
                memcpy_floor / rate);
  };
  line("memchr", memchr_floor);
  line("memcpy", memcpy_floor);
  const std::pair<const char*, RedactionKinds> cases[] = {
      {"addresses", {}},
      {"addresses, e-mail", {true, {}}},
      {"addresses, e-mail, one pattern", {true, {"\\bcus_[A-Za-z0-9]+"}}},
      {"addresses, e-mail, five patterns",
       {true,
        {"\\bcus_[A-Za-z0-9]+", "(?i)secret[-_]key=[^&]+", "\\bsk_live_\\w+", "eyJ[\\w-]+\\.[\\w-]+",
         "IBAN [A-Z0-9]+"}}},
      {"one that RE2 looks for everywhere", {true, {"\\b[0-9]{16}\\b"}}},
  };
  for (const auto& [name, kinds] : cases) {
    const Redactor redactor = Need(kinds);
    line(name, Best(texts, options.repeat,
                    [&](const std::string& text) { return static_cast<size_t>(redactor.Matches(text)); }));
  }
  std::puts("full of what is redacted:");
  for (const auto& [name, kinds] : cases) {
    const Redactor redactor = Need(kinds);
    line(name, Best(hits, options.repeat, [&](const std::string& text) { return redactor.Redact(text).size(); }));
  }
  return 0;
}

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const long value = std::strtol(argv[i + 1], nullptr, 10);
    if (value < 1 || (name != "--megabytes" && name != "--repeat")) {
      std::fprintf(stderr, "logquery_bench_redactor [--megabytes N] [--repeat N]\n");
      return 2;
    }
    if (name == "--megabytes") options.megabytes = static_cast<size_t>(value);
    if (name == "--repeat") options.repeat = static_cast<int>(value);
  }
  return Run(options);
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Main(argc, argv); }
