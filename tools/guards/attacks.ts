/** Tests that the page names in vain: the page says `file` “test”, “test”; a file is good until the next one. */
export function lostAttacks(page: string, read: (path: string) => string | undefined): string[] {
  const lost: string[] = [];
  for (const line of page.split('\n').filter((one) => one.startsWith('| ') && one.includes('`'))) {
    let file = '';
    const named = line.matchAll(/`([^`]+\.ts)`|“([^”]+)”/g);
    let tests = 0;
    for (const [, path, name] of named) {
      if (path) file = path;
      else if (name) {
        tests += 1;
        if (!read(file)?.includes(name)) lost.push(`${file}: ${name}`);
      }
    }
    if (tests === 0) lost.push(`no test: ${line.slice(0, 60)}`);
  }
  return lost;
}
