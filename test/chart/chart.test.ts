import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeSettings } from '../../server/process/config.ts'
import { renderChart } from './render.ts'

// The chart of deploy/ is rendered and compared with the schemas of its objects. There is no cluster here.

const deploy = join(import.meta.dirname, '../../deploy')
const GIVEN = {
  image: { repository: 'registry.example.com/storeward' },
  secretName: 'shop-secrets',
  settings: { PUBLIC_URL: 'https://shop.example.com' },
}
const render = (values: Record<string, unknown> = {}) => renderChart(join(deploy, 'chart'), { ...GIVEN, ...values })

const MODELS = { ConfigMap, Deployment, Job, NetworkPolicy, PersistentVolumeClaim, PodDisruptionBudget, Service }
const isKnown = (kind: unknown): kind is keyof typeof MODELS => typeof kind === 'string' && kind in MODELS

/** @throws Error for an object that is not as its schema says */
function check(object: Record<string, unknown>) {
  const { kind } = object
  if (!isKnown(kind)) throw new Error(`The chart has an object of another kind: ${kind}.`)
  const Model = MODELS[kind]
  new Model(Object(object)).validate()
}

/** A part of an object by its path. */
const at = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), object)

const named = (objects: Record<string, unknown>[], kind: string, name: string) => {
  const found = objects.find((object) => object.kind === kind && at(object, 'metadata.name') === name)
  if (!found) throw new Error(`There is no ${kind} ${name}.`)
  return found
}

describe('the chart', () => {
  test.each<[string, Record<string, unknown>]>([
    ['with the values that it needs', {}],
    ['with a new volume', { files: { volume: { enabled: true, storageClass: 'shared' } } }],
    ['with a volume that exists', { files: { volume: { enabled: true, existingClaim: 'uploads' } } }],
    ['for an ingress', { network: { from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] } }],
    ['without network policies', { network: { enabled: false } }],
    ['with numbers and truths as settings', { settings: { ...GIVEN.settings, POOL_SIZE: 20, REQUIRE_HTTPS: true } }],
  ])('%s has objects as their schemas say', (_, values) => {
    for (const object of render(values)) check(object)
  })

  test('has these objects', () => {
    const list = render().map((object) => `${object.kind} ${at(object, 'metadata.name')}`)
    expect(list.sort()).toEqual([
      'ConfigMap shop-settings',
      'Deployment shop-api',
      'Deployment shop-worker',
      'Job shop-migrate',
      'NetworkPolicy shop',
      'NetworkPolicy shop-others',
      'PodDisruptionBudget shop-api',
      'Service shop',
    ])
    const claims = (volume: object) =>
      render({ files: { volume } }).filter(({ kind }) => kind === 'PersistentVolumeClaim').length
    expect([claims({ enabled: true }), claims({ enabled: true, existingClaim: 'uploads' })]).toEqual([1, 0])
  })

  test('refuses to be installed without an image or a secret', () => {
    expect(() => render({ image: {} })).toThrow('image.repository: the image that you have built is missing.')
    expect(() => render({ secretName: '' })).toThrow('secretName: the Secret with DATABASE_URL and SECRET is missing.')
  })

  test.each(['api', 'worker'])('runs the role %s without rights, with probes, and its secrets by reference', (role) => {
    const deployment = named(render(), 'Deployment', `shop-${role}`)
    const [container] = [at(deployment, 'spec.template.spec.containers')].flat()
    expect(container).toMatchObject({
      image: 'registry.example.com/storeward:0.1.0',
      env: [{ name: 'ROLE', value: role }],
      envFrom: [{ configMapRef: { name: 'shop-settings' } }, { secretRef: { name: 'shop-secrets' } }],
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      startupProbe: { httpGet: { path: '/healthz', port: 'http' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
      volumeMounts: [
        { name: 'files', mountPath: '/data' },
        { name: 'temporary', mountPath: '/tmp' },
      ],
    })
    expect(at(deployment, 'spec.template.spec')).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
      volumes: [{ name: 'temporary' }, { name: 'files', emptyDir: {} }],
    })
  })

  test('migrates before the processes of a new version start', () => {
    const job = named(render(), 'Job', 'shop-migrate')
    expect(at(job, 'metadata.annotations')).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
    const [container] = [at(job, 'spec.template.spec.containers')].flat()
    expect(at(container, 'args')).toEqual(['node', 'node_modules/storeward/bin/storeward.js', 'migrate'])
    // Its settings are there before it.
    const weights = [named(render(), 'ConfigMap', 'shop-settings'), job].map((object) =>
      Number(Reflect.get(Object(at(object, 'metadata.annotations')), 'helm.sh/hook-weight')),
    )
    expect(weights[0]).toBeLessThan(weights[1] ?? Number.NEGATIVE_INFINITY)
  })

  test('selects its pods by their labels', () => {
    const objects = render()
    const labels = (role: string) => at(named(objects, 'Deployment', `shop-${role}`), 'spec.template.metadata.labels')
    for (const role of ['api', 'worker']) {
      const selector = at(named(objects, 'Deployment', `shop-${role}`), 'spec.selector.matchLabels')
      expect(labels(role)).toMatchObject(Object(selector))
    }
    const service = Object(at(named(objects, 'Service', 'shop'), 'spec.selector'))
    expect(labels('api')).toMatchObject(service)
    expect(labels('worker')).not.toMatchObject(service)
    const budget = Object(at(named(objects, 'PodDisruptionBudget', 'shop-api'), 'spec.selector.matchLabels'))
    expect(labels('api')).toMatchObject(budget)
    const policy = Object(at(named(objects, 'NetworkPolicy', 'shop'), 'spec.podSelector.matchLabels'))
    expect(labels('api')).toMatchObject(policy)
  })

  test('starts pods again when a setting changes, and keeps a volume', () => {
    const mark = (values?: Record<string, unknown>) =>
      at(named(render(values), 'Deployment', 'shop-api'), 'spec.template.metadata.annotations')
    expect(mark()).toEqual(mark())
    expect(mark({ settings: { ...GIVEN.settings, LOG_LEVEL: 'warn' } })).not.toEqual(mark())
    const claim = named(render({ files: { volume: { enabled: true } } }), 'PersistentVolumeClaim', 'shop')
    expect(at(claim, 'metadata.annotations')).toEqual({ 'helm.sh/resource-policy': 'keep' })
    const mounted = named(render({ files: { volume: { enabled: true } } }), 'Deployment', 'shop-worker')
    expect(at(mounted, 'spec.template.spec.volumes')).toContainEqual({
      name: 'files',
      persistentVolumeClaim: { claimName: 'shop' },
    })
  })

  test('names settings that the server has', () => {
    const data = Object(at(named(render(), 'ConfigMap', 'shop-settings'), 'data'))
    const known = new Set([...describeSettings().matchAll(/^ {2}([A-Z][A-Z0-9_]+) /gm)].map(([, name]) => name))
    expect(Object.keys(data).filter((name) => !known.has(name))).toEqual([])
    expect(data.PUBLIC_URL).toBe('https://shop.example.com')
  })
})

describe('the schemas', () => {
  test.each([
    ['a number as text', { spec: { replicas: 'two', selector: {}, template: {} } }],
    ['no selector', { spec: { replicas: 1, template: {} } }],
  ])('refuse %s', (_, wrong) => {
    expect(() => check({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, ...wrong })).toThrow()
  })
})

test('the compose file runs the API and a worker on files that they may only read', () => {
  const { services } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true })
  for (const [name, role] of [
    ['storeward', 'api'],
    ['worker', 'worker'],
  ] as const) {
    expect(services[name]).toMatchObject({
      environment: { ROLE: role, DATABASE_URL: expect.stringMatching(/^postgres:/), SECRET: expect.any(String) },
      read_only: true,
      cap_drop: ['ALL'],
      volumes: ['files:/data'],
    })
  }
})
