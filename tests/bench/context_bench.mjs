// The half of context_bench.cpp that runs on the npm package: the same cases under the same names. Prints `name<TAB>nanoseconds`.
//
//   node context_bench.mjs
//   node context_bench.mjs --memory PLUGINS     peak memory in KiB, and what is idle

import { Context } from '@deepseek-ai/cordis'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Milliseconds that this process has worked; what else the machine does is left out, as in the other half. */
function worked() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs `round` until it has taken a while; nanoseconds of the best round, each of `size` operations. */
async function best(size, round) {
  for (let warm = 0; warm < 3; ++warm) await round()
  let shortest = Infinity
  const end = worked() + 1000
  while (worked() < end) {
    const start = worked()
    await round()
    shortest = Math.min(shortest, worked() - start)
  }
  return shortest * 1e6 / size
}

function print(name, nanoseconds) {
  console.log(`${name}\t${nanoseconds}`)
}

/** What the work adds up to, so that nothing is optimised away. */
let sum = 0

async function getService() {
  const root = new Context()
  root.provide('number', { value: 1 })
  print('get a service', await best(1e5, () => {
    for (let index = 0; index < 1e5; ++index) sum += root.get('number').value
  }))
}

async function useService() {
  const root = new Context()
  root.provide('number', { value: 1 })
  let inside
  await root.plugin({ name: 'user', inject: ['number'], apply(ctx) { inside = ctx } })
  print('use a declared service', await best(1e5, () => {
    for (let index = 0; index < 1e5; ++index) sum += inside.number.value
  }))
}

async function emitEvent(listeners) {
  const root = new Context()
  for (let index = 0; index < listeners; ++index) root.on('bench/told', (number) => { sum += number })
  const rounds = Math.ceil(1e5 / listeners)
  print(`emit to listeners/${listeners}`, await best(rounds, () => {
    for (let index = 0; index < rounds; ++index) root.emit('bench/told', 1)
  }))
}

async function applyAndDispose() {
  const root = new Context()
  const plugin = { name: 'p', apply() {} }
  print('apply and dispose of a plugin', await best(100, async () => {
    for (let index = 0; index < 100; ++index) {
      const fiber = root.plugin(plugin)
      await fiber
      await fiber.dispose()
    }
  }))
}

function composition(size) {
  const plugins = []
  const providers = size / 10
  for (let index = 0; index < size - providers; ++index) {
    plugins.push({
      name: `user-${index}`,
      inject: [`service-${index % providers}`],
      apply(ctx) {
        ctx.on('bench/told', () => {})
        ctx.effect(() => () => {}, 'undo')
      },
    })
  }
  for (let index = 0; index < providers; ++index) {
    plugins.push({
      name: `provider-${index}`,
      apply(ctx) { ctx.provide(`service-${index}`, { value: 1 }) },
    })
  }
  return plugins
}

async function run(plugins) {
  const root = new Context()
  const fibers = plugins.map((plugin) => root.plugin(plugin))
  do { await turn() } while (fibers.some((fiber) => fiber.state === 1))
  if (fibers.some((fiber) => fiber.state !== 2)) throw new Error('a plugin did not become active')
  await root.fiber.dispose()
}

async function startAndStop(size) {
  const plugins = composition(size)
  let shortest = Infinity
  for (let round = 0; round < (size > 1000 ? 1 : 10); ++round) {
    const start = worked()
    await run(plugins)
    shortest = Math.min(shortest, worked() - start)
  }
  print(`start and stop a composition/${size}`, shortest * 1e6)
}

async function memory(size) {
  const idle = process.memoryUsage().rss / 1024
  await run(composition(size))
  console.log(`${process.resourceUsage().maxRSS} ${Math.round(idle)}`)
}

if (process.argv[2] === '--memory') {
  await memory(Number(process.argv[3]))
} else {
  await getService()
  await useService()
  for (const listeners of [1, 10, 1000]) await emitEvent(listeners)
  await applyAndDispose()
  for (const size of [100, 1000, 10000]) await startAndStop(size)
}
if (sum < 0) console.log(sum)
