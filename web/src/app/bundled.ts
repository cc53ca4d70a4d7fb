/** The words that are needed before any text has come from the server. */
const words = {
  en: { unstable: 'The network is unstable', waiting: 'Connecting again. You can refresh in {n} s.', refresh: 'Refresh' },
  zh: { unstable: '网络不稳定', waiting: '正在重新连接，{n} 秒后可刷新。', refresh: '刷新' },
} as const;

/** English for any language but Chinese. */
export const bundled = (lang: string) => (lang.startsWith('zh') ? words.zh : words.en);
