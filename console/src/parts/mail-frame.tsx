import { getNonce } from 'get-nonce'
import type { CSSProperties } from 'react'

/**
 * The HTML of an e-mail in a frame without scripts and without an origin. The frame inherits the policy of the console, which lets in
 * styles with its nonce. The nonce opens nothing else: scripts come from files of the console only.
 */
export const MailFrame = ({ title, html, style }: { title: string; html: string; style: CSSProperties }) => (
  <iframe
    title={title}
    sandbox=""
    srcDoc={html.replaceAll(/<style\b/gi, `<style nonce="${getNonce() ?? ''}"`)}
    style={{ ...style, background: 'white' }}
  />
)
