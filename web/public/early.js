// Schemas are read, not compiled: the content policy allows no code made from text, and even asking whether it does is reported.
globalThis.__zod_globalConfig = { jitless: true };

// The texts are on their way while the code still comes. The address is the one that the console asks for (web/src/kit/language.ts).
try {
  const lang = localStorage.getItem('mooring.lang') ?? 'zh-CN';
  const call = `ops/unLogin/multiLang/findByCriteria?langCode=${encodeURIComponent(lang)}`;
  const href = new URL(call, document.currentScript.src).href;
  document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href }));
} catch {
  // Without storage the console asks by itself.
}
