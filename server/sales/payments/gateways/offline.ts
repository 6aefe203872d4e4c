import { approved, type Capabilities, type Gateway } from './gateway.ts'

/** Methods that the shop settles with its customers. They call nothing, and approve every request at once. */
const OFFLINE: Readonly<Record<string, string>> = {
  storecredit: 'Store credit',
  giftcertificate: 'Gift certificate',
  custom: 'Manual payment',
  cod: 'Cash on delivery',
  cheque: 'Check',
  moneyorder: 'Money order',
  bankdeposit: 'Bank deposit',
  instore: 'Pay in store',
}

export const OFFLINE_GATEWAYS = Object.keys(OFFLINE)

export const isOffline = (id: string): boolean => Object.hasOwn(OFFLINE, id)

/** Most characters of the instructions of an offline method. */
export const INSTRUCTIONS_MAX = 2_000

/** The text by which an offline method tells shoppers how to pay, such as a bank account. @param options of its provider */
export const instructionsIn = (options: object): string =>
  'instructions' in options && typeof options.instructions === 'string' ? options.instructions : ''

const CAPABILITIES: Capabilities = {
  delayedCapture: false,
  void: false,
  refund: true,
  partialRefund: true,
  multipleRefunds: true,
  asyncResults: false,
  storedInstruments: [],
  currencies: undefined,
  settlementDelaySeconds: 0,
}

/** @param id one for which `isOffline` holds */
export function offlineGateway(id: string): Gateway {
  const settle = async () => approved('')
  return {
    id,
    name: OFFLINE[id] ?? id,
    capabilities: CAPABILITIES,
    authorize: settle,
    purchase: settle,
    capture: settle,
    void: settle,
    refund: settle,
    fetchStatus: settle,
    parseCallback: async () => undefined,
  }
}
