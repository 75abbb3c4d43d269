#!/usr/bin/env python3
"""Tests scripts/check_layers: what each rule lets pass, and what it must find."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_layers"


def run(files):
    """Checks a tree of these files; returns the exit code and the offences as "FILE:LINE"."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
        return done.returncode, [":".join(line.split(":")[:2]) for line in done.stdout.splitlines()]


class CheckLayers(unittest.TestCase):
    def test_says_where_an_offence_is(self):
        self.assertEqual(
            run({"lib/sql/lexer.cc": '#include <string>\n#include "lib/rewrite/passes/pass.h"\n'}), (1, ["lib/sql/lexer.cc:2"])
        )

    def test_lets_pass(self):
        for file, header in [
            ("lib/sql/lexer.cc", '"lib/base/utf8.h"'),
            ("lib/sql/lexer.cc", '"lib/sql/lexer.h"'),
            ("lib/functions/text.cc", '"lib/model/decimal_text.h"'),
            ("lib/rewrite/evaluate.cc", '"lib/functions/evaluate.h"'),
            ("lib/clickhouse_sql/resolve/type.cc", '"lib/rewrite/plan.h"'),
            ("lib/endpoint/call/query_planner.cc", '"lib/clickhouse_sql/parser.h"'),
            ("lib/endpoint/service.cc", '"lib/result/encoder.h"'),
            ("lib/endpoint/registry.cc", "<nlohmann/json.hpp>"),
            ("lib/tools/translate.cc", '"lib/endpoint/call/query_planner.h"'),
            ("lib/engines/duckdb/backend/connection.cc", "<duckdb.h>"),
            ("lib/engines/duckdb/backend/connection.cc", '"logquery/duckdb/source_backend.h"'),
            ("lib/store/backend_impl.cc", '"lib/engines/duckdb/backend/engine.h"'),
            ("lib/store/backend_impl.cc", '"logquery/store/log_store.h"'),
            ("lib/store/tables/clustering.cc", "<duckdb.h>"),
            ("lib/engines/clickhouse/backend/client.cc", "<curl/curl.h>"),
            ("lib/engines/postgres/backend/layout.cc", '"lib/engines/postgres/dialect/calls.h"'),
            ("lib/engines/postgres/dialect/powers.cc", '"lib/emit/table_powers.h"'),
            ("lib/emit/dialects.cc", '"lib/engines/postgres/dialect/postgres_dialect.h"'),
            ("lib/engines/postgres/backend/connection.cc", "<libpq-fe.h>"),
            ("lib/engines/postgres/backend/connection.cc", '"logquery/postgres/postgres_backend.h"'),
            ("lib/engines/postgres/backend/postgres_backend.cc", '"lib/engines/duckdb/backend/source/fragment_backend.h"'),
            ("lib/engines/clickhouse/backend/server.cc", '"lib/backend/http/client.h"'),
            ("lib/backend/http/client.cc", "<curl/curl.h>"),
            ("lib/serving/deployment/engines.cc", '"logquery/postgres/postgres_backend.h"'),
            ("lib/serving/deployment/engines.cc", '"lib/engines/clickhouse/backend/options_json.h"'),
            ("lib/serving/deployment/deployment.cc", '"logquery/store/spool.h"'),
            ("lib/serving/deployment/deployment.cc", '"lib/tools/definition_check.h"'),
            ("lib/testing/fake_clock.cc", '"logquery/testing/fake_clock.h"'),
            ("lib/testing/fake_backend.cc", '"lib/base/strings.h"'),
            ("include/logquery/store/duckdb_backend.h", '"logquery/store/log_store.h"'),
            ("include/logquery/serving/log_receiver.h", '"logquery/store/ingest.h"'),
            ("lib/serving/store/log_receiver.cc", '"logquery/store/ingest.h"'),
            ("include/logquery/query.h", '"absl/status/status.h"'),
            ("shim/cli/serve/serve_command.cc", '"logquery/serving/deployment.h"'),
            ("shim/observe/span_exporter.h", '"lib/backend/http/client.h"'),
            ("shim/cli/folder/load_logs.cc", '"lib/store/spool/spool_folder.h"'),
            ("shim/cli/folder/data_folder.cc", '"logquery/store/backup.h"'),
            ("shim/cli/migrate/import_rows.cc", '"lib/engines/postgres/backend/logflare_tables.h"'),
            ("shim/http/calls/routes.h", '"shim/http/transport/cors.h"'),
            ("shim/http/calls/routes.cc", '"lib/base/strings.h"'),
            ("shim/observe/request_observer.h", '"logquery/http_observer.h"'),
            ("shim/cli/serve/serve_command.cc", '"logquery/http_server.h"'),
            ("shim/cli/serve/serve_command.cc", '"shim/http/calls/error_body.h"'),
            ("shim/cli/serve/serve_command.cc", '"shim/observe/metrics.h"'),
            ("shim/cli/query/translate_command.cc", '"lib/tools/translate.h"'),
            ("shim/http/transport/request_server.cc", "<httplib.h>"),
            ("shim/http/transport/transport.cc", '"logquery/query_service.h"'),
            ("examples/embed.cc", '"logquery/store/duckdb_backend.h"'),
            ("tests/sql/lexer_test.cc", '"lib/sql/lexer.h"'),
            ("tests/backend/duckdb_test.cc", "<duckdb.h>"),
        ]:
            with self.subTest(file=file, header=header):
                self.assertEqual(run({file: f"#include {header}\n"}), (0, []))

    def test_what_is_used_of_another_room_is_included(self):
        room = {
            "lib/rewrite/scalars.h": "namespace logquery::rewrite {\nint ConjunctsOf(int);\n}\n",
            "lib/rewrite/plan.h": '#include "lib/rewrite/scalars.h"\nnamespace logquery::rewrite {\nclass Plan;\n}\n',
        }
        use = "namespace logquery::emit {\nint n = rewrite::ConjunctsOf(1);\n}\n"
        self.assertEqual(run(room | {"lib/emit/emit.cc": use}), (1, ["lib/emit/emit.cc:2"]))
        self.assertEqual(run(room | {"lib/emit/emit.cc": use.replace("= rewrite", "= logquery::rewrite")})[0], 1)
        for header in ("scalars.h", "plan.h"):
            self.assertEqual(run(room | {"lib/emit/emit.cc": f'#include "lib/rewrite/{header}"\n{use}'}), (0, []))
        for text in (
            "// rewrite::ConjunctsOf\n",
            'const char* kText = "rewrite::ConjunctsOf";\n',
            "namespace logquery {\nnamespace rewrite {\nclass Scalar;\n}\nrewrite::Scalar* scalar;\n}\n",
            "int n = other::rewrite::ConjunctsOf(1);\n",
        ):
            with self.subTest(text=text):
                self.assertEqual(run(room | {"lib/emit/emit.cc": text}), (0, []))

    def test_public_headers_name_no_type_of_lib(self):
        for text in [
            "namespace logquery {\nnamespace endpoint {\nstruct FoundEndpoint;\n}\n}\n",
            "namespace logquery {\nnamespace emit { class SqlDialect; }\n}\n",
            "namespace logquery {\nconst emit::SqlDialect* fragments = nullptr;\n}\n",
            "namespace logquery {\nconst logquery::emit::SqlDialect* fragments = nullptr;\n}\n",
            "\nnamespace logquery::rewrite {\nstruct QueryPlan;\n}\n",
        ]:
            with self.subTest(text=text):
                self.assertEqual(run({"include/logquery/call_target.h": text}), (1, ["include/logquery/call_target.h:2"]))
        engine = {"lib/engines/duckdb/backend/connection.h": "namespace logquery::duckdb {\nclass Connection;\n}\n"}
        header = "namespace logquery {\nduckdb::Connection* Open();\n}\n"
        self.assertEqual(run(engine | {"include/logquery/duckdb/a.h": header}), (1, ["include/logquery/duckdb/a.h:2"]))
        for text in [
            "namespace logquery::testing {\nclass FakeClock;\n}\n",
            "namespace logquery {\nstruct CallTarget {\n  struct Plans;\n};\n}\n",
            "namespace logquery {\n// endpoint::FoundEndpoint stands in lib/.\nabsl::Status Run(model_base::Text text);\n}\n",
        ]:
            with self.subTest(text=text):
                self.assertEqual(run({"include/logquery/call_target.h": text}), (0, []))

    def test_engines_are_named_by_their_own_folders_alone(self):
        for file, text in [
            ("lib/rewrite/passes/cap_rows.cc", '#include "lib/base/strings.h"\n// DuckDB reads all of it.\n'),
            ("lib/split/split.cc", "\nconst char* kName = \"lq_big_add\";\n"),
            ("lib/emit/emit_unnest.cc", '\nreturn StrCat("list_transform(", list, ")");\n'),
            ("lib/emit/dialect.h", "\nclass ClickHouse;\n"),
        ]:
            with self.subTest(file=file):
                self.assertEqual(run({file: text}), (1, [f"{file}:2"]))
        for file in ["lib/engines/duckdb/dialect/spellings_math.cc", "lib/emit/dialects.cc", "lib/engines/duckdb/backend/engine.cc"]:
            with self.subTest(file=file):
                self.assertEqual(run({file: "// DuckDB: list_transform(x, lambda y: lq_big_add(y, y))\n"}), (0, []))

    def test_finds(self):
        for file, header in [
            ("lib/base/clock.cc", '"lib/model/type.h"'),
            ("lib/result/encoder.cc", '"lib/endpoint/service.h"'),
            ("lib/sql/lexer.cc", '"shim/config.h"'),
            ("lib/functions/text.cc", "<duckdb.h>"),
            ("lib/functions/text.cc", '"lib/engines/duckdb/backend/functions/function.h"'),
            ("lib/functions/text.cc", '"lib/rewrite/evaluate.h"'),
            ("lib/rewrite/evaluate.cc", '"lib/clickhouse_sql/ast.h"'),
            ("lib/emit/emitter.cc", '"lib/clickhouse_sql/ast.h"'),
            ("lib/split/split.cc", '"lib/clickhouse_sql/ast.h"'),
            ("lib/sql/lexer.cc", '"tests/support/golden.h"'),
            ("lib/sql/lexer.cc", '"logquery/testing/fake_clock.h"'),
            ("lib/sql/lexer.cc", '"lib/nowhere/x.h"'),
            ("lib/nowhere/x.cc", '"lib/base/utf8.h"'),
            ("lib/engines/duckdb/other/x.cc", '"lib/base/utf8.h"'),
            ("lib/engines/x.cc", '"lib/base/utf8.h"'),
            ("lib/serving/x.cc", '"lib/engines/duckdb/other/x.h"'),
            ("lib/engines/postgres/dialect/calls.cc", '"lib/engines/postgres/backend/dsn.h"'),
            ("lib/engines/postgres/dialect/calls.cc", '"lib/split/split.h"'),
            ("lib/engines/postgres/dialect/calls.cc", "<libpq-fe.h>"),
            ("lib/endpoint/service.cc", '"lib/engines/duckdb/backend/connection.h"'),
            ("lib/endpoint/service.cc", '"logquery/duckdb/source_backend.h"'),
            ("lib/endpoint/service.cc", '"lib/store/log_store_impl.h"'),
            ("lib/endpoint/service.cc", '"logquery/store/log_store.h"'),
            ("lib/serving/query_queue.cc", '"logquery/store/log_store.h"'),
            ("lib/engines/duckdb/backend/execution.cc", '"lib/store/tables/table_marks.h"'),
            ("lib/engines/duckdb/backend/execution.cc", '"logquery/store/log_store.h"'),
            ("lib/store/backend_impl.cc", '"lib/engines/clickhouse/backend/client.h"'),
            ("lib/store/backend_impl.cc", '"lib/result/encoder.h"'),
            ("lib/store/backend_impl.cc", "<libpq-fe.h>"),
            ("lib/endpoint/call/query_service.cc", '"lib/tools/translate.h"'),
            ("lib/endpoint/service.cc", "<httplib.h>"),
            ("lib/endpoint/service.cc", "<spdlog/spdlog.h>"),
            ("lib/engines/duckdb/dialect/dialect.cc", "<duckdb.h>"),
            ("lib/engines/clickhouse/backend/client.cc", "<duckdb.h>"),
            ("lib/engines/clickhouse/backend/client.cc", '"lib/engines/duckdb/backend/connection.h"'),
            ("lib/engines/clickhouse/backend/client.cc", '"logquery/postgres/postgres_backend.h"'),
            ("lib/engines/clickhouse/backend/client.cc", "<libpq-fe.h>"),
            ("lib/endpoint/service.cc", '"lib/engines/duckdb/backend/source/fragment_backend.h"'),
            ("lib/endpoint/service.cc", '"lib/backend/http/client.h"'),
            ("lib/backend/http/client.cc", '"lib/engines/clickhouse/backend/server.h"'),
            ("lib/endpoint/service.cc", '"logquery/postgres/postgres_backend.h"'),
            ("include/logquery/value.h", '"logquery/postgres/postgres_backend.h"'),
            ("shim/http/transport/transport.cc", '"logquery/postgres/postgres_backend.h"'),
            ("lib/backend/backend.cc", "<curl/curl.h>"),
            ("lib/backend/backend.cc", "<libpq-fe.h>"),
            ("lib/testing/contract.cc", '"lib/sql/parser.h"'),
            ("lib/testing/contract.cc", "<catch2/catch_test_macros.hpp>"),
            ("lib/testing/contract.cc", "<duckdb.h>"),
            ("include/logquery/value.h", '"lib/base/utf8.h"'),
            ("include/logquery/value.h", "<nlohmann/json.hpp>"),
            ("include/logquery/value.h", "<duckdb.h>"),
            ("include/logquery/value.h", "<libpq-fe.h>"),
            ("include/logquery/value.h", "<curl/curl.h>"),
            ("include/logquery/value.h", "<httplib.h>"),
            ("include/logquery/value.h", '"logquery/duckdb/source_backend.h"'),
            ("include/logquery/value.h", '"logquery/store/log_store.h"'),
            ("include/logquery/duckdb/source_backend.h", '"logquery/store/log_store.h"'),
            ("include/logquery/value.h", '"logquery/testing/fake_clock.h"'),
            ("shim/http/transport/transport.cc", '"lib/sql/parser.h"'),
            ("shim/http/transport/transport.cc", '"lib/engines/duckdb/backend/connection.h"'),
            ("shim/http/transport/transport.cc", '"logquery/duckdb/source_backend.h"'),
            ("shim/http/transport/transport.cc", '"lib/store/log_store_impl.h"'),
            ("shim/http/transport/transport.cc", '"logquery/store/log_store.h"'),
            ("shim/http/transport/transport.cc", "<duckdb.h>"),
            ("shim/cli/folder/data_folder.cc", '"lib/sql/parser.h"'),
            ("shim/cli/folder/data_folder.cc", "<duckdb.h>"),
            ("shim/cli/folder/data_folder.h", '"logquery/store/backup.h"'),
            ("shim/cli/serve/serve_command.cc", '"logquery/store/duckdb_backend.h"'),
            ("shim/cli/serve/serve_command.cc", '"logquery/clickhouse/clickhouse_backend.h"'),
            ("shim/cli/serve/serve_command.cc", '"lib/engines/clickhouse/backend/options_json.h"'),
            ("lib/serving/deployment/deployment.cc", '"logquery/clickhouse/clickhouse_backend.h"'),
            ("lib/serving/deployment/deployment.cc", '"lib/engines/clickhouse/backend/options_json.h"'),
            ("lib/serving/deployment/deployment.cc", '"shim/observe/metrics.h"'),
            ("include/logquery/serving/backend_file.h", '"logquery/clickhouse/clickhouse_backend.h"'),
            ("shim/http/calls/routes.cc", '"shim/cli/folder/folder.h"'),
            ("shim/http/calls/routes.cc", '"lib/tools/translate.h"'),
            ("shim/http/calls/endpoint_call.cc", '"lib/endpoint/definitions/labels.h"'),
            ("shim/http/logs/ingest_call.cc", '"lib/result/packer.h"'),
            ("shim/http/calls/routes.cc", '"lib/serving/query_queue.h"'),
            ("shim/http/calls/routes.cc", '"lib/backend/http/client.h"'),
            ("shim/http/calls/routes.cc", '"shim/observe/metrics.h"'),
            ("shim/http/http_server.cc", '"shim/observe/request_log.h"'),
            ("shim/http/calls/routes.cc", '"logquery/testing/fake_clock.h"'),
            ("include/logquery/http_server.h", '"shim/http/calls/routes.h"'),
            ("include/logquery/http_server.h", '"lib/base/strings.h"'),
            ("shim/http/calls/routes.cc", "<httplib.h>"),
            ("shim/cli/folder/local_client.cc", "<httplib.h>"),
            ("shim/observe/request_log.cc", '"shim/cli/options/commands.h"'),
            ("shim/observe/request_log.cc", '"shim/http/transport/http_message.h"'),
            ("shim/http/calls/routes.cc", '"shim/command/ingest.h"'),
            ("shim/compose.cc", '"logquery/clock.h"'),
            ("shim/cli/query/run_command.cc", '"logquery/store/backup.h"'),
            ("shim/cli/main.cc", '"logquery/testing/fake_clock.h"'),
            ("examples/embed.cc", '"lib/base/utf8.h"'),
        ]:
            with self.subTest(file=file, header=header):
                self.assertEqual(run({file: f"#include {header}\n"}), (1, [f"{file}:1"]))

    def test_one_file_asks_which_engines_are_built(self):
        text = "\n#if LOGQUERY_WITH_CLICKHOUSE\n#endif\n"
        self.assertEqual(run({"lib/serving/deployment/engines.cc": text, "tests/shim/engines_test.cc": text}), (0, []))
        self.assertEqual(run({"shim/cli/folder/refuse_folder.cc": "// Built unless LOGQUERY_WITH_DUCKDB is set.\n"}), (0, []))
        for file in ["lib/serving/deployment/deployment.cc", "shim/cli/serve/serve_command.cc", "include/logquery/value.h"]:
            with self.subTest(file=file):
                self.assertEqual(run({file: text}), (1, [f"{file}:2"]))

    def test_finds_searches_of_sql_that_is_written(self):
        searches = [
            'if (text.find(") FILTER (WHERE ") != npos) ++filtered;',
            "return args[0].text().starts_with('(');",
            'return arg.sql.contains("||");',
            'const size_t as = text.rfind(" AS ");',
        ]
        for line in searches:
            with self.subTest(line=line):
                self.assertEqual(run({"lib/emit/emit_aggregate.cc": line + "\n"}), (1, ["lib/emit/emit_aggregate.cc:1"]))
                self.assertEqual(run({"lib/engines/duckdb/dialect/casts.cc": line + "\n"}), (1, ["lib/engines/duckdb/dialect/casts.cc:1"]))
        for file, line in [
            ("lib/emit/emit_with.cc", "auto entry = entries_.find(scan.cte);"),
            ("lib/emit/spellings.cc", "const size_t open = spelling.find('(');"),
            ("lib/emit/bind_variables.cc", "i = std::min(text.find(c, i + 1), text.size());"),
            ("lib/sql/lexer.cc", "const size_t end = text.find('x');"),
        ]:
            with self.subTest(file=file, line=line):
                self.assertEqual(run({file: line + "\n"}), (0, []))

    def test_finds_iterators_over_streams(self):
        line = 'const std::string text(std::istreambuf_iterator<char>(file), {});\n'
        self.assertEqual(run({"shim/cli/query/x.cc": line}), (1, ["shim/cli/query/x.cc:1"]))
        self.assertEqual(run({"tests/shim/x.cc": line, "lib/base/x.cc": "// std::istreambuf_iterator would throw.\n"}), (0, []))

    def test_bounds_the_length_of_public_headers(self):
        self.assertEqual(run({"include/logquery/value.h": "\n" * 200}), (0, []))
        self.assertEqual(run({"include/logquery/value.h": "\n" * 201}), (1, ["include/logquery/value.h:201"]))

    def test_bounds_the_lines_of_the_http_server(self):
        files = {"shim/http/http_server.cc": "\n" * 1000, "shim/http/calls/routes.cc": "\n" * 2500,
                 "shim/http/calls/routes.h": "\n" * 1500, "shim/cli/serve/serve.cc": "\n" * 1000, "lib/base/text.cc": "\n" * 6000}
        self.assertEqual(run(files), (0, []))
        files["shim/http/logs/ingest_call.cc"] = "\n"
        self.assertEqual(run(files), (1, ["shim/http/calls/routes.cc:2500"]))

    def test_bounds_the_files_that_include_httplib(self):
        names = ("shim/http/transport/request_server.cc", "tests/support/client.cc", "tests/support/host.cc", "tests/support/other.cc")
        files = {name: "#include <httplib.h>\n" for name in (*names, "tests/bench/hits_bench.cc")}
        self.assertEqual(run(files), (0, []))
        files["tests/shim/http_test.cc"] = "#include <httplib.h>\n"
        self.assertEqual(run(files), (1, ["tests/support/other.cc:1"]))

    def test_one_file_includes_cli11(self):
        files = {"shim/cli/options/command_parser.cc": "#include <CLI/CLI.hpp>\n", "tests/shim/cli_test.cc": "#include <CLI/CLI.hpp>\n"}
        self.assertEqual(run(files), (0, []))
        for file in ("shim/cli/options/command_line.cc", "shim/cli/options/command_tree.h", "shim/http/calls/routes.cc", "lib/tools/check.cc"):
            for header in ("<CLI/CLI.hpp>", '"CLI/App.hpp"'):
                with self.subTest(file=file, header=header):
                    self.assertEqual(run({**files, file: f"\n#include {header}\n"}), (1, [f"{file}:2"]))

    def test_bounds_the_files_that_include_the_json_library(self):
        names = [f"lib/base/user_{i:02}.cc" for i in range(11)] + ["shim/cli/query/user.cc"]
        files = {name: "#include <nlohmann/json.hpp>\n" for name in names}
        files["tests/base/json_test.cc"] = "#include <nlohmann/json.hpp>\n"
        files["lib/base/json.h"] = "#include <nlohmann/json_fwd.hpp>\n"
        self.assertEqual(run(files), (0, []))
        self.assertEqual(run({"lib/base/json.h": '#include "nlohmann/json.hpp"\n'}), (1, ["lib/base/json.h:1"]))
        files["shim/observe/user.cc"] = "#include <nlohmann/json.hpp>\n"
        self.assertEqual(run(files), (1, ["shim/observe/user.cc:1"]))


if __name__ == "__main__":
    unittest.main()
