import { Component, type ReactNode } from 'react';
import { logError } from '../kit/error-log.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';

interface Props {
  children: ReactNode;
}

/** A missing chunk means that the server has a newer console. */
const isOldChunk = (error: Error) => /dynamically imported module|module script failed|Failed to fetch/i.test(error.message);

function Crashed({ error, again }: { error: Error; again: () => void }) {
  const t = useT();
  if (isOldChunk(error))
    return (
      <ErrorState title={t('shell.chunk.title')} text={t('shell.chunk.text')}>
        <Button look="primary" onClick={() => location.reload()}>
          {t('shell.reload')}
        </Button>
      </ErrorState>
    );
  return (
    <ErrorState title={t('shell.crash.title')} text={t('shell.crash.text')} onRetry={again}>
      <code className="m-mono m-small">{error.message}</code>
    </ErrorState>
  );
}

/** One failing page leaves the rest standing. React has no other form for this than a class. */
export class Crash extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override componentDidCatch(error: Error) {
    logError('render', `${error.name}: ${error.message}\n${error.stack ?? ''}`);
  }
  override render() {
    const { error } = this.state;
    return error ? <Crashed error={error} again={() => this.setState({ error: undefined })} /> : this.props.children;
  }
}
