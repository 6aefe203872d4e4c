import { readdir } from 'node:fs/promises'

// The page that embeds the public portal of buyers, and the settings with which the portal is built. The portal is used unchanged.

/** The settings of a build, one a line. @param files the address of the built files, with a slash at its end */
export const portalSettings = ({ b2bUrl, clientId, files }: { b2bUrl: string; clientId: string; files: string }) => [
  'VITE_IS_LOCAL_ENVIRONMENT=TRUE',
  `VITE_B2B_URL=${b2bUrl}`,
  `VITE_LOCAL_APP_CLIENT_ID=${clientId}`,
  `VITE_ASSETS_ABSOLUTE_PATH=${files}`,
]

export interface PortalPage {
  /** The hash of the store. */
  store: string
  channel: number
  /** With the first the portal asks the storefront at the origin of its page, with the other only the companion API. */
  platform: 'bigcommerce' | 'custom'
  /** The address of the script with which the portal begins. */
  script: string
}

/** The page, which is the fifth setting. */
export function portalPage({ store, channel, platform, script }: PortalPage): string {
  const setting = { store_hash: store, channel_id: channel, platform, environment: 'local' }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Portal of buyers</title>
</head>
<body>
<p><a href="#/login">Sign in</a></p>
<script>window.B3 = { setting: ${inScript(setting)} }</script>
<script type="module" crossorigin src="${inAttribute(script)}"></script>
</body>
</html>
`
}

/** JSON that can't end the script around it. */
const inScript = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c')

const inAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The name of the script in a folder of built files. @throws Error with a sentence for the operator */
export async function scriptIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const [name, ...others] = names.filter((name) => /^index\.[\w-]+\.js$/.test(name))
  if (name === undefined || others.length > 0) throw new Error(`${folder} is no folder of a built portal.`)
  return name
}
