import { DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import Search from 'lucide-react/icons/search';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { directoryText } from '../../messages/directory.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';

/** Leads to the list of the users whom a text finds. */
export const FindUser = (): ReactNode => {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const search = text.trim();
    void navigate(search === '' ? paths.userList : paths.findUsers(search));
  };
  return (
    <Panel title={directoryText('findTitle')}>
      <form className="find-user" role="search" onSubmit={handleSubmit}>
        <TextField
          label={directoryText('searchHint')}
          type="search"
          maxLength={DIRECTORY_SEARCH_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">
          <Search {...ICON} />
          {directoryText('find')}
        </Button>
      </form>
    </Panel>
  );
};
