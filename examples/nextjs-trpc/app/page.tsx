import { Start } from "./account";

export default function Home() {
  return (
    <>
      <h1>Read more this year</h1>
      <p className="quiet">Note the books that you want to read, and set yourself a goal.</p>
      <p>
        <Start />
      </p>
    </>
  );
}
