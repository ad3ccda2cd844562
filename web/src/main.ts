import { mount } from 'svelte'
import App from './App.svelte'
import { loadArea, setLang } from './lib/i18n.svelte'
import { prefs, watchPrefs } from './lib/prefs.svelte'
import { keepFocus } from './lib/regions'
import { startRouter } from './lib/router.svelte'
import { watchForUpdates } from './lib/update'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'

// Not awaited at the top level: that would keep the bundler from putting what pages share into the first file.
async function start(): Promise<void> {
  await setLang(prefs.lang)
  await loadArea('shell')
  watchPrefs()
  startRouter()
  keepFocus()
  mount(App, { target: document.getElementById('app')! })
  if (import.meta.env.PROD) watchForUpdates()
}

void start()
