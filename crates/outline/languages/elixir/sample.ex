defmodule Shelf do
  @moduledoc """
  A shelf with boxes.
  """

  use GenServer
  alias Shelf.Box
  import Enum, only: [map: 2]

  @most 12
  @type name :: String.t()
  @typep count :: non_neg_integer

  defstruct boxes: %{}, taken: 0

  @doc """
  Makes a shelf.
  """
  @spec new() :: %__MODULE__{}
  def new do
    %__MODULE__{}
  end

  # A plain comment right above.
  def take(shelf, name, opts \\ [])

  def take(%{boxes: boxes} = shelf, name, _opts) when is_binary(name) do
    case Map.fetch(boxes, name) do
      {:ok, found} ->
        {:ok, found}

      :error ->
        if name == "" do
          {:error, :empty}
        else
          {:error, shelf}
        end
    end
  end

  def take(_, _, _), do: :error

  @impl true
  def handle_call(
        {:take, name},
        _from,
        state
      ) do
    with {:ok, found} <- take(state, name) do
      {:reply, found, state}
    end
  end

  defp hidden(x) do
    fn y ->
      x + y
    end
  end

  defguard is_small(x) when x < 12

  defmacro twice(block) do
    quote do
      unquote(block)
      unquote(block)
    end
  end

  defmacrop inner(x), do: x

  defdelegate size(map), to: Map

  def a <> b do
    {a, b}
  end

  defmodule Box do
    defstruct [:name]

    def open(box), do: box
  end
end

defprotocol Tell do
  @doc "Tells it."
  def tell(thing)
end

defimpl Tell, for: Shelf do
  def tell(shelf) do
    inspect(shelf)
  end
end

defmodule Shelf.Error do
  defexception message: "no"
end

defmodule ShelfTest do
  use ExUnit.Case

  setup do
    :ok
  end

  describe "taking" do
    test "a new shelf is empty", %{} do
      assert Shelf.new().taken == 0
    end
  end
end
