export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
