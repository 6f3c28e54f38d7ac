// Uses the types that openapi-typescript made: `node use-client.js ADDRESS REFERENCE SYSTEM SYSTEM`.
// Prints what it got, as JSON, in the same form as use_client.py.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [address, reference, ...systems] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address!.replace(/\/$/, "") });
type Problem = components["schemas"]["Problem"];

function got<T>(answer: { data?: T; error?: Problem }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail);
  return answer.data;
}

const texts = { hypotheses: ["The cat sat down."], references: [["The cat sat up.", "A cat."]] };
const metrics: components["schemas"]["ScoreRequest"]["metrics"] = ["bleu", { name: "chrf", options: { word_order: 2 } }];
const found: Record<string, unknown> = {};
found.version = got(await client.GET("/api/v1/health")).version;
found.metrics = got(await client.GET("/api/v1/metrics")).metrics.map((one) => one.metric);
const scores = got(await client.POST("/api/v1/score", { body: { ...texts, metrics } }));
found.score = scores.map((one) => [one.name, one.score]);
found.sentences = got(await client.POST("/api/v1/sentences", { body: { ...texts, metrics } }))[1]!.scores;
const steps = got(await client.POST("/api/v1/explain", { body: { ...texts, a: "bleu", b: "bleu:lowercase" } })).steps;
found.explain = steps.map((one) => one.step);
const both = { systems: { a: ["The cat."], b: ["A cat."] }, references: ["A cat."], metrics: ["bleu"] };
found.compare = got(await client.POST("/api/v1/compare", { body: both })).systems;
const rewarded = { query: ["a b"], prompts: ["a"], labels: ["b"] };
found.reward = got(await client.POST("/get_reward", { body: rewarded })).rewards;

const { id } = got(await client.POST("/api/v1/comparisons"));
const path = { id };
// A file is sent as it is.
const file = { bodySerializer: (body: string) => body, headers: { "content-type": "application/octet-stream" } };
const sent = { params: { path, query: { name: "ref.txt" } }, body: readFileSync(reference!, "utf8"), ...file };
got(await client.PUT("/api/v1/comparisons/{id}/references", sent));
for (const one of systems) {
  const more = { params: { path, query: { name: basename(one) } }, body: readFileSync(one, "utf8"), ...file };
  got(await client.PUT("/api/v1/comparisons/{id}/systems", more));
}
const early = await client.GET("/api/v1/comparisons/{id}/csv", { params: { path }, parseAs: "text" });
found.early = [early.error?.type, early.error?.status];
got(await client.POST("/api/v1/comparisons/{id}/start", { params: { path }, body: metrics! }));
const state = async () => got(await client.GET("/api/v1/comparisons/{id}", { params: { path } }));
while ((await state()).state === "running") await new Promise((done) => setTimeout(done, 100));
found.results = (await state()).results;
const result = got(await client.GET("/api/v1/comparisons/{id}/json", { params: { path } }));
found.result = [result.systems, result.metrics.map((one) => one.name)];
const text = { params: { path }, parseAs: "text" } as const;
found.csv = got(await client.GET("/api/v1/comparisons/{id}/csv", text)).split(/\r?\n/)[0];
const lines = got(await client.GET("/api/v1/comparisons/{id}/jsonl", text));
found.jsonl = Object.keys(JSON.parse(lines.split("\n")[0]!)).length > 0;
found.report = got(await client.GET("/api/v1/comparisons/{id}/report", text)).slice(0, 15);
const bytes = { params: { path }, parseAs: "arrayBuffer" } as const;
const content = got(await client.GET("/api/v1/comparisons/{id}/numbers", bytes)) as unknown as ArrayBuffer;
found.scores = [new Float64Array(content, 0, 1)[0], content.byteLength];
const body: components["schemas"]["TextsRequest"] = { segments: [2, 1] };
const rows = got(await client.POST("/api/v1/comparisons/{id}/texts", { params: { path }, body }));
found.rows = rows.segments.map((one) => [one.segment, one.references]);
const hits = got(await client.POST("/api/v1/comparisons/{id}/search", { params: { path }, body: { query: "the" } }));
found.hits = [hits.segments, hits.hits];
found.removed = got(await client.DELETE("/api/v1/comparisons/{id}", { params: { path } })).id === id;
const gone = await client.GET("/api/v1/comparisons/{id}", { params: { path } });
found.gone = [gone.error?.type, gone.error?.status];
const wrong = await client.POST("/api/v1/score", { body: { references: ["a"], metrics: ["none"] } });
found.wrong = [wrong.error?.type, wrong.error?.status];
console.log(JSON.stringify(found));
