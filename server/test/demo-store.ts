import type { DemoStore } from '../operator/demo-store.ts'

/** A demo store as a sandbox has it, with another secret in each place of its welcome. */
export const DEMO_STORE: DemoStore = {
  store_hash: 'demostore',
  token: 'ADMIN_TOKEN',
  welcome: {
    headline: 'storeward is running.',
    addresses: [{ name: 'Reference', url: 'http://127.0.0.1:8080/docs', says: '', isPage: true }],
    tokens: [{ token: 'READONLY_TOKEN', says: 'readonly: reads only' }],
    record: '/home/you/data/sandbox.json',
    chapters: [
      { about: 'store', says: 'List brands:', commands: ["curl -H 'X-Auth-Token: STORE_TOKEN'"] },
      { about: 'storefront', says: 'Ask the storefront:', commands: ["curl -H 'Authorization: STOREFRONT_TOKEN'"] },
      { about: 'companion', says: 'Sign in:', commands: [`curl -d '{"password":"BUYER_TOKEN"}'`] },
    ],
  },
}
