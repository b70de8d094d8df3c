/** The manifests in deploy/kubernetes name only what exists: ports, probes, secrets, variables and labels. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { root } from './source.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')
const page = read('docs/install.md')
const variables = read('docs/configuration.md')

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
})
const container = z.object({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const volume = z.object({
  name: z.string(),
  secret: z.object({ secretName: z.string(), defaultMode: z.number() }).optional(),
  emptyDir: z.object({}).optional(),
})
const pod = z.object({
  securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.number(), fsGroup: z.number() }),
  terminationGracePeriodSeconds: z.number().optional(),
  containers: z.tuple([container]),
  volumes: z.array(volume),
})
const labels = z.object({ app: z.string() })
const podTemplate = z.object({ metadata: z.object({ labels }).optional(), spec: pod })
const deployment = z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }), template: podTemplate }) })
const service = z.object({ spec: z.object({ selector: labels, ports: z.array(z.object({ targetPort: z.string() })) }) })
const budget = z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }) }) })
const job = z.object({
  metadata: z.object({ generateName: z.string() }),
  spec: z.object({ backoffLimit: z.literal(0), template: podTemplate }),
})

/** Kubernetes reads YAML 1.1, in which 0440 is octal. */
const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`), { version: '1.1' }).map((document) => document.toJS())

const [first, second, third] = documentsOf('latchkey.yaml')
const daemon = deployment.parse(first).spec
const migration = job.parse(documentsOf('migrate.yaml')[0])
const pods = { latchkey: daemon.template.spec, migrate: migration.spec.template.spec }

describe.each(Object.entries(pods))('the pod of %s', (_, { containers: [own], volumes, securityContext }) => {
  test('mounts declared volumes only', () => {
    expect(own.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
  })

  test('reads each secret from a key that the docs create, and which no other user can read', () => {
    const files = own.env.filter(({ name }) => name.endsWith('_FILE'))
    expect(files.length).toBeGreaterThan(2)
    for (const { value } of files) {
      const mount = own.volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`))
      const secret = volumes.find(({ name }) => name === mount?.name)?.secret
      expect(secret?.defaultMode, value).toBe(0o440)
      const key = value.slice((mount?.mountPath.length ?? 0) + 1)
      const [, created = ''] = new RegExp(`create secret generic ${secret?.secretName} ((?:.*\\\\\\n)*.*)`).exec(page) ?? []
      expect(created, value).toContain(`--from-file=${key}=`)
    }
  })

  test('sets documented variables, and no secret as a value', () => {
    const names = own.env.map(({ name }) => name.replace(/_FILE$/, ''))
    expect(names.filter((name) => name !== 'LATCHKEY_COMMAND' && !variables.includes(`\`${name}\``))).toEqual([])
    expect(own.env.filter(({ name }) => /SECRET|DATABASE|REDIS/.test(name) && !name.endsWith('_FILE'))).toEqual([])
  })

  test('runs as the user of the image, with a command of the image', () => {
    expect(dockerfile).toContain('\nUSER node\n')
    expect([securityContext.runAsUser, securityContext.fsGroup]).toEqual([1000, 1000])
    expect(dockerfile).toContain('\nENTRYPOINT ["latchkey"]\n')
  })
})

describe('the daemon', () => {
  const [own] = daemon.template.spec.containers

  test('starts as the image does, and listens on the port of its probes and of the Service', () => {
    const [, command = ''] = /^CMD (.*)$/m.exec(dockerfile) ?? []
    expect(own.args).toEqual(JSON.parse(command))
    const [port] = own.ports
    expect(dockerfile).toContain(`\nEXPOSE ${port?.containerPort}\n`)
    const targets = service.parse(second).spec.ports.map(({ targetPort }) => targetPort)
    const probed = [own.startupProbe, own.livenessProbe, own.readinessProbe].map((each) => each?.httpGet.port)
    expect(new Set([...targets, ...probed])).toEqual(new Set([port?.name]))
  })

  test('is probed where it responds: alive without the database, ready with it', () => {
    const server = read('src/http/server.ts')
    const paths = [own.startupProbe, own.livenessProbe, own.readinessProbe].map((each) => each?.httpGet.path)
    expect(paths).toEqual(['/livez', '/livez', '/readyz'])
    expect(paths.filter((path) => !server.includes(`server.get('${path}'`))).toEqual([])
    // It does not listen while it waits for the database.
    const waits = Number(own.args[own.args.indexOf('--wait-for-db') + 1])
    const { periodSeconds = 0, failureThreshold = 0 } = own.startupProbe ?? {}
    expect(periodSeconds * failureThreshold).toBeGreaterThan(waits)
  })

  test('has the time to finish its requests', () => {
    const [, drain = ''] = /`server\.drainTimeout` \| [^|]*\| `(\d+)`/.exec(read('docs/configuration-reference.md')) ?? []
    const grace = daemon.template.spec.terminationGracePeriodSeconds ?? 0
    expect(grace).toBeGreaterThan((own.lifecycle?.preStop.sleep.seconds ?? 0) + Number(drain))
  })

  test('writes to the folder of its state', () => {
    const state = own.volumeMounts.find(({ mountPath }) => mountPath === '/srv/latchkey/.latchkey')
    expect(daemon.template.spec.volumes.find(({ name }) => name === state?.name)?.emptyDir).toEqual({})
  })

  test('is what the Service and the disruption budget select', () => {
    const own = daemon.template.metadata?.labels
    expect([
      daemon.selector.matchLabels,
      service.parse(second).spec.selector,
      budget.parse(third).spec.selector.matchLabels,
    ]).toEqual([own, own, own])
  })
})
