import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const server = loadEnv(mode, '.', 'LUDOTHEQUE_').LUDOTHEQUE_SERVER ?? 'http://127.0.0.1:7707'
  return {
    plugins: [svelte()],
    resolve: { alias: { '~': '/src' } },
    build: {
      outDir: '../src/ludotheque/server/page',
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      manifest: 'manifest.json',
    },
    server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  }
})
