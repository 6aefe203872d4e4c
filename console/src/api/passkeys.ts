import { operator, Refusal } from './operator.ts'

/** Whether the browser has passkeys here: it refuses them at IP addresses and without https, except at localhost. */
export const hasPasskeys = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|^\[/.test(location.hostname)

/** Lets the person choose a passkey and sign a challenge of the server. @throws Refusal */
export async function signChallenge() {
  const options = await operator<PublicKeyCredentialRequestOptionsJSON>('POST', '/session/passkey-challenge')
  return answerOf(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
    'No passkey was used.',
  )
}

/** Lets the person create a passkey for this host. @throws Refusal */
export async function createPasskey() {
  const options = await operator<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/challenge')
  return answerOf(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
    'No passkey was created.',
  )
}

async function answerOf(asked: Promise<Credential | null>, sentence: string): Promise<unknown> {
  // The browser says only that the person declined, or waited too long.
  const credential = await asked.catch(() => null)
  if (!(credential instanceof PublicKeyCredential)) throw new Refusal(0, sentence)
  return credential.toJSON()
}
