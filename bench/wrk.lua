-- Sends the requests that the file named by the first argument describes (see wrk.ts), and prints the figures as one line of JSON.
local threads = {}
local job
local turn = 0
unexpected = 0
exhausted = 0

function setup(thread)
  table.insert(threads, thread)
end

local function open(source)
  if source.file then
    source.handle = assert(io.open(source.file, "rb"))
    source.handle:setvbuf("full", 1048576)
  end
  source.next = 1
end

-- Records of one length: each once, or again from the beginning.
local function record(source)
  local bytes = source.handle:read(source.size)
  if bytes and #bytes == source.size then return bytes end
  source.handle:seek("set", 0)
  if source.once then
    exhausted = 1
    wrk.thread:stop()
  end
  return source.handle:read(source.size)
end

local function chained(source)
  local value = source.values[source.next]
  if not value then
    exhausted = 1
    wrk.thread:stop()
    value = ""
  end
  source.values[source.next] = nil
  source.next = source.next + 1
  return source.head .. (source.bytes + #value) .. source.before .. value .. source.after
end

local function keep(source, body)
  local value = body:match(source.pattern)
  if value then
    source.last = source.last + 1
    source.values[source.last] = value
  end
end

function init(args)
  job = dofile(args[1])
  local chain
  for _, source in ipairs(job.sources) do
    open(source)
    if source.values then chain = source end
  end
  if chain or job.check then
    response = function(status, _, body)
      if status ~= job.expected then unexpected = unexpected + 1 end
      if chain then keep(chain, body) end
    end
  end
end

function request()
  turn = turn % #job.order + 1
  local source = job.sources[job.order[turn]]
  if source.fixed then return source.fixed end
  if source.values then return chained(source) end
  return record(source)
end

function done(summary, latency)
  local wrong, used = 0, 0
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("unexpected")
    used = used + thread:get("exhausted")
  end
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"micros":%d,"p50":%d,"p99":%d,"cpuSeconds":%f,"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d,"unexpected":%d,"exhausted":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), os.clock(),
    errors.connect, errors.read, errors.write, errors.timeout, errors.status, wrong, used))
end
