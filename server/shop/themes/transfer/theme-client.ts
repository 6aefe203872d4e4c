import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Directory, StoreEntry } from '../../../stores/directory/directory.ts'
import { type AddressRules, ownerOfHost } from '../../channels/sites/addresses.ts'
import { SiteHosts } from '../../channels/sites/hosts.ts'

interface ClientParts {
  directory: Directory
  sites: AddressRules
  docsBase: string
}

/**
 * Routes for theme tools of merchants without a token: the store of a host, and the supported version (docs/contract/themes.md
 * section 9). The host identifies the storefront. If there is only one store, every host belongs to it.
 */
export function themeClientRoutes(server: FastifyInstance, { directory, sites, docsBase }: ClientParts) {
  const hosts = new SiteHosts(directory)

  const storeOf = async ({ hostname }: FastifyRequest): Promise<StoreEntry | undefined> => {
    const host = hostname.toLowerCase()
    const given = ownerOfHost(host, sites)
    if (given) return directory.find(given.hash)
    const id = await hosts.storeAt(host)
    return id === undefined ? directory.onlyStore() : directory.entryById(id)
  }
  const unknown = { status: 404, title: 'No store has this host.', type: `${docsBase}/errors#404`, errors: {} }

  server.get('/admin/oauth/info', async (request, reply) => {
    const store = await storeOf(request)
    if (!store) return reply.status(404).send(unknown)
    return reply.send({ store_hash: store.hash })
  })

  server.get('/stencil-version-check', async (request, reply) => {
    if (!(await storeOf(request))) return reply.status(404).send(unknown)
    const origin = `${request.protocol}://${request.host}`
    return reply.send({ status: 'ok', baseUrl: origin, sslUrl: origin })
  })
}
