import type { FastifyInstance, RouteOptions } from 'fastify'
import { RouteList } from '../../core/rest/api.ts'

/** Routes below one prefix that share a gate and a grammar. */
export interface ApiFamily {
  /** Path before the paths of the routes. Parameters in it, such as the hash of a store, are for the gate. */
  prefix: string
  /** Whether `/openapi.json` describes the routes. */
  isDocumented: boolean
  /** Identifies the client and refuses requests before their bodies are read. */
  gate: (api: FastifyInstance, routes: RouteList) => void
  /** Parses and validates bodies, and shapes answers and errors. */
  grammar: (api: FastifyInstance) => unknown
  /** Functions that register routes, each those of one area. */
  areas: readonly ((api: FastifyInstance) => void)[]
}

/** Registers the routes of every family. @returns the routes that `/openapi.json` describes */
export async function mount(server: FastifyInstance, families: readonly ApiFamily[]): Promise<RouteOptions[]> {
  const documented: RouteOptions[][] = []
  for (const { prefix, isDocumented, gate, grammar, areas } of families) {
    await server.register(
      async (api) => {
        const list = RouteList.of(api)
        if (isDocumented) documented.push(list.routes)
        gate(api, list)
        await grammar(api)
        for (const area of areas) area(api)
      },
      { prefix },
    )
  }
  return documented.flat()
}
