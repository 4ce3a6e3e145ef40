//! The one fetcher: a page of the web over a socket whose address was judged.
//!
//! A [`WebUrl`] is parsed once and used as parsed. A [`Fetcher`] asks a [`Resolve`] once for every hop, judges each
//! address by its [`NetPolicy`], connects to exactly that address, follows redirects by hand and keeps what came of a
//! body when the time, the peer or the cap ended it. It sends no cookies, no credentials and no referrer, and takes no
//! proxy from the environment.
//!
//! ```
//! use readstone_net::{Allow, WebUrl};
//!
//! let url = WebUrl::parse("www.Example.com:443/a b#part").unwrap();
//! assert_eq!((url.as_str(), url.fragment()), ("https://www.example.com/a%20b", Some("part")));
//! assert_eq!(WebUrl::parse("http://0x7f.1/").unwrap().host(), "127.0.0.1");
//! assert_eq!("10.0.0.0/8:8080".parse::<Allow>().unwrap().to_string(), "10.0.0.0/8:8080");
//! ```

mod allow;
mod error;
mod fetch;
mod place;
mod policy;
mod resolve;
mod url;

pub use allow::Allow;
pub use error::Error;
pub use fetch::{Ask, Ending, Fetched, Fetcher};
pub use place::Place;
pub use policy::{NetPolicy, Web};
pub use resolve::{Resolve, System};
pub use url::WebUrl;
