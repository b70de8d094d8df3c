/** The chart names only what exists: ports, probes, secrets, variables and labels. Its manifests have the types of Kubernetes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { keptFolder } from '../../kit/servers/keeper.ts'
import { chart, type Manifest, read, renderChart, required } from './chart.ts'

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
const labels = z.record(z.string(), z.string())
const podTemplate = z.object({ metadata: z.object({ labels }), spec: pod })
const strategy = z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }) })
const deployment = z.object({
  spec: z.object({ selector: z.object({ matchLabels: labels }), strategy, template: podTemplate }),
})
const service = z.object({ spec: z.object({ selector: labels, ports: z.array(z.object({ targetPort: z.string() })) }) })
const budget = z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }) }) })
const job = z.object({
  metadata: z.object({ annotations: z.record(z.string(), z.string()) }),
  spec: z.object({ backoffLimit: z.literal(0), template: podTemplate }),
})

const manifests = await renderChart(required)
const find = (kind: string, from: readonly Manifest[] = manifests) => from.find((manifest) => manifest.kind === kind)
const daemon = deployment.parse(find('Deployment')).spec
const migration = job.parse(find('Job'))
const selected = service.parse(find('Service')).spec
const pods = { latchkey: daemon.template.spec, migrate: migration.spec.template.spec }

describe.each(Object.entries(pods))('the pod of %s', (_, { containers: [own], volumes, securityContext }) => {
  test('mounts declared volumes only', () => {
    expect(own.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort())
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
    expect(dockerfile).toContain('\nUSER 1000:1000\n')
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
    const targets = selected.ports.map(({ targetPort }) => targetPort)
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

  test('is what the Service and the disruption budget select, and the migrations are not', () => {
    const budgeted = budget.parse(find('PodDisruptionBudget')).spec.selector.matchLabels
    expect([selected.selector, budgeted]).toEqual([daemon.selector.matchLabels, daemon.selector.matchLabels])
    expect(daemon.template.metadata.labels).toMatchObject(selected.selector)
    expect(migration.spec.template.metadata.labels).not.toMatchObject(selected.selector)
    expect(migration.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  })
})

const everything = {
  ...required,
  image: { ...required.image, digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  extraEnv: [{ name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'mail', key: 'url' } } }],
  migrate: { acknowledge: ['drop-column:user.nickname'] },
  service: { annotations: { team: 'accounts' } },
  ingress: { enabled: true, className: 'nginx', annotations: { team: 'accounts' }, tlsSecret: 'certificate' },
  networkPolicy: {
    enabled: true,
    ingressFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 3306 }] }],
  },
  metrics: { enabled: true, serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  podAnnotations: { team: 'accounts' },
  podLabels: { team: 'accounts' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  fullnameOverride: 'sign-in',
}

test('the manifests have the types of Kubernetes, with all values too', { timeout: 120_000 }, async () => {
  const all = await renderChart(everything)
  const kinds = ['PodDisruptionBudget', 'Deployment', 'Ingress', 'Job', 'NetworkPolicy', 'Service', 'ServiceMonitor']
  expect(all.map(({ kind }) => kind)).toEqual(kinds)
  expect(JSON.stringify(all)).toContain('"host":"accounts.example.com"')
  expect(new Set(all.map(({ metadata }) => metadata.name))).toEqual(new Set(['sign-in', 'sign-in-migrate']))
  // Kubernetes has no type for the ServiceMonitor of the operator.
  const typed = [...manifests, ...all].filter(({ kind }) => kind !== 'ServiceMonitor')
  const lines = typed.map((manifest) => {
    const group = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion.replace('.k8s.io', '')
    return `export const _: import('kubernetes-types/${group}').${manifest.kind} = ${JSON.stringify(manifest)}`
  })
  const folder = keptFolder('manifests')
  const files = lines.map((line, index) => {
    writeFileSync(join(folder, `${index}.ts`), line)
    return `${index}.ts`
  })
  // A copy with a wrong name proves that faults are seen.
  writeFileSync(join(folder, 'wrong.ts'), lines[1]?.replace('"replicas"', '"replica"') ?? '')
  const modules = join(chart, '../../../node_modules')
  const options = { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: [] }
  const compilerOptions = { ...options, paths: { 'kubernetes-types/*': [`${modules}/kubernetes-types/*`] } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...files, 'wrong.ts'] }))
  const { stdout } = await execa(join(modules, '.bin/tsc'), ['-p', folder], { cwd: folder, reject: false })
  expect(
    stdout
      .trim()
      .split('\n')
      .filter((line) => /^\S/.test(line)),
  ).toEqual([expect.stringMatching(/^wrong\.ts.*"replica"/)])
})

test('the schema accepts the default values and all others, and rejects unknown and wrong ones', () => {
  const check = new Ajv({ strict: false }).compile(JSON.parse(read('deploy/helm/latchkey/values.schema.json')))
  const defaults = parse(read('deploy/helm/latchkey/values.yaml'))
  expect([check({ ...defaults, ...required }), check.errors]).toEqual([true, null])
  expect([check(everything), check.errors]).toEqual([true, null])
  const wrong = [defaults, { ...required, replica: 2 }, { ...required, baseURL: 'http://accounts.example.com' }]
  expect([...wrong, { ...required, replicaCount: 0 }].map((values) => check(values))).toEqual([false, false, false, false])
  const described = JSON.parse(read('deploy/helm/latchkey/values.schema.json')).properties
  expect(Object.keys(described).filter((name) => name !== 'global')).toEqual(Object.keys(defaults))
})
