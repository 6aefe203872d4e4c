import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  // No module is preloaded by a script in the page: the policy of the console allows files only.
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0, target: 'es2023' },
})
